"""One proof, and the helpers that make its programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import Instruction
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.bundle import DEFAULT_READ_LATENCY, Bundle
from sequences.decode_request import DecodeRequest
from sequences.directed.directed_program import DirectedProgram, bundle_of, words
from sequences.stimulus import Stimulus

EXT_WORDS = 5000
"""External words of each program; all are 1."""

AFTER_RESET = Stimulus(reset_first=True)
"""So that no proof depends on how the one before it ended."""


@dataclass(frozen=True)
class Decoding:
    """A decoding by a host loop, rather than a program."""

    request: DecodeRequest
    speculative: bool


Evidence = tuple[DirectedProgram, ...] | Decoding
"""Programs that run one after another, or a decoding."""


@dataclass(frozen=True)
class Proof:
    """What must hit one bin, and what must not."""

    item: str
    bin: tuple[str, ...]
    """Its name in each dimension."""
    hits: Evidence
    misses: tuple[Evidence, ...]


def program(
    instructions: Sequence[Instruction],
    scratchpad: Iterable[int] = (),
    stimulus: Stimulus = AFTER_RESET,
    read_latency: int = DEFAULT_READ_LATENCY,
) -> DirectedProgram:
    """Return a program that ends with HALT; the rest of its scratchpad is 1."""
    memory = np.ones(SCRATCHPAD_WORDS, np.uint32)
    first = words(scratchpad)
    memory[: len(first)] = first
    return of_bundle(
        bundle_of(instructions, ext=_ones(EXT_WORDS), scratchpad=memory, read_latency=read_latency), stimulus
    )


def of_code(code: Sequence[int], stimulus: Stimulus = AFTER_RESET) -> DirectedProgram:
    """Return a program of just these words; its memories are 1."""
    return of_bundle(Bundle(tuple(code), _ones(EXT_WORDS), scratchpad=_ones(SCRATCHPAD_WORDS)), stimulus)


def of_bundle(bundle: Bundle, stimulus: Stimulus = AFTER_RESET) -> DirectedProgram:
    """Return a bundle as the program of a proof."""
    return DirectedProgram("proof", bundle, stimulus)


def single(item: str, bin_name: tuple[str, ...], hits: DirectedProgram, *misses: DirectedProgram) -> Proof:
    """Return a proof by single programs."""
    return Proof(item, bin_name, (hits,), tuple((miss,) for miss in misses))


def _ones(count: int) -> NDArray[np.uint32]:
    return np.ones(count, np.uint32)
