"""What fixes the scales of one program: sample inputs, and ranges by tag."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from refmodel.language.layer_graph import CACHED_KEYS, CACHED_VALUES, INPUT
from refmodel.language.target import TargetModel
from refmodel.numerics.quantization import FloatArray

Sample = Mapping[str, FloatArray]
"""One real value for each input of a graph."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """The arguments of `compile_graph` that decide scales."""

    samples: tuple[Sample, ...]
    ranges: Mapping[str, float]
    """Largest absolute values by tag."""


class VerifierScales(Protocol):
    """Whatever can calibrate the verifier blocks of one target."""

    def verifier(self, cached: int, rows: int) -> Calibration:
        """Return the calibration of the verifier block of `rows` tokens over `cached` rows."""
        ...


class TargetScales(VerifierScales, Protocol):
    """Whatever can calibrate all programs of one target."""

    def plain(self, context: int) -> Calibration:
        """Return the calibration of the plain step with this many tokens of context."""
        ...


def sample(x: FloatArray, keys: FloatArray, values: FloatArray) -> Sample:
    """Return the inputs of a step or block: x (m, D) over a cache (c, D), left out when it is empty."""
    if len(keys) == 0:
        return {INPUT: x}
    return {INPUT: x, CACHED_KEYS: keys, CACHED_VALUES: values}


def largest(*arrays: FloatArray) -> float:
    """Return the largest absolute value in any of the arrays, empty ones included; 0 when all are empty."""
    return max(float(np.abs(array).max(initial=0.0)) for array in arrays)


def calibrate_on_sequences(target: TargetModel, sequences: NDArray[np.integer], cached: int) -> Calibration:
    """Calibrate a block on token sequences (S, cached + m): first the tokens in the cache, then the block.

    The range of x is the largest |E|, those of k and v cover cache and block.
    """
    x = target.embedding[sequences]
    keys, values = x @ target.wk, x @ target.wv  # in a model of one layer they depend on the token alone
    samples = tuple(
        sample(x[number, cached:], keys[number, :cached], values[number, :cached])
        for number in range(len(sequences))
    )
    return Calibration(samples, {"x": target.embedding_range, "k": largest(keys), "v": largest(values)})
