"""RQ: every shift, extreme mantissas and accumulators, ties of both signs, both clamps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Instruction, Requantize
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.result import WordArray
from sequences.directed.directed_program import DirectedProgram, bundle_of, random_words

EDGES = (
    0, 1, -1, 2, -2, 3, -3, 126, 127, 128, -126, -127, -128, 254, 255, -254, -255, 1 << 15, -(1 << 15),
    (1 << 23) - 1, 1 << 24, 0x55555555, -0x55555555, (1 << 31) - 2, (1 << 31) - 1, -(1 << 31) + 1, -(1 << 31),
)  # fmt: skip
"""Accumulators at every boundary; random ones follow them."""

ROW = 48
"""Accumulators of one RQ."""

MULTIPLIERS = {
    "zero": 0,
    "one": 1,
    "small": 1001,
    "lowest": 1 << 23,
    "tie": 3 << 22,
    "highest": (1 << 24) - 1,
}


def requantizer_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield a program a mantissa; each has an RQ for every shift, to words of its own."""
    generator = np.random.default_rng([seed, 3])
    for name, multiplier in MULTIPLIERS.items():
        for relu in (False, True):
            bundle = bundle_of(_every_shift(multiplier, relu), scratchpad=_accumulators(generator))
            yield DirectedProgram(f"requantizer/{name}{'-relu' if relu else ''}", bundle)
    mantissas = generator.integers(1 << 23, 1 << 24, 64)
    instructions = [
        Requantize(ROW * (shift + 1), 0, ROW, int(mantissa), shift)
        for shift, mantissa in enumerate(mantissas)
    ]
    yield DirectedProgram("requantizer/random", bundle_of(instructions, scratchpad=_accumulators(generator)))


def _every_shift(multiplier: int, relu: bool) -> list[Instruction]:
    return [Requantize(ROW * (shift + 1), 0, ROW, multiplier, shift, relu) for shift in range(64)]


def _accumulators(generator: np.random.Generator) -> WordArray:
    """Return a scratchpad that begins with one row of accumulators."""
    scratchpad = random_words(generator, SCRATCHPAD_WORDS)
    scratchpad[: len(EDGES)] = np.array(EDGES, np.int64).astype(np.uint32)
    return scratchpad
