"""The float target's plain greedy decoding from every start token at once: what calibration sees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refmodel.language.float_model import FloatLayer, float_step
from refmodel.language.target import VOCABULARY, WIDTH, TargetModel
from refmodel.numerics.quantization import FloatArray


@dataclass(frozen=True, eq=False)
class Rollout:
    """The greedy runs from all sixteen starts, S = 16, n steps each."""

    tokens: NDArray[np.int64]
    """(S, n + 1): the start and what followed it."""
    keys: FloatArray
    """(S, n, D): the key of each token that a step consumed."""
    values: FloatArray
    """(S, n, D)"""
    layers: tuple[FloatLayer, ...]
    """One evaluation a step, tensors of shape (S, 1, columns)."""


def greedy_rollout(target: TargetModel, steps: int) -> Rollout:
    """Decode `steps` tokens greedily from each start; ties go to the first token."""
    tokens = np.empty((VOCABULARY, steps + 1), dtype=np.int64)
    tokens[:, 0] = np.arange(VOCABULARY)
    keys = np.empty((VOCABULARY, steps, WIDTH))
    values = np.empty((VOCABULARY, steps, WIDTH))
    layers: list[FloatLayer] = []
    for step in range(steps):
        x = target.embedding[tokens[:, step], None, :]
        layer = float_step(target, x, keys[:, :step], values[:, :step])
        keys[:, step] = layer.k[:, 0]
        values[:, step] = layer.v[:, 0]
        tokens[:, step + 1] = layer.logits[:, 0].argmax(axis=-1)
        layers.append(layer)
    return Rollout(tokens, keys, values, tuple(layers))
