"""RQ at every shift: exact ties of both signs, their neighbours, both clamps, and products of 55 bits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Instruction, Requantize
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.result import WordArray
from sequences.directed.directed_program import DirectedProgram, bundle_of, random_words, words

RESULTS = 2048
"""Where the results of ties lie, as far behind their accumulators."""

LARGEST_MULTIPLIER = (1 << 24) - 1
LARGEST_SHIFT = 63
LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1

HALVES = (1, 3, 251, 253, 255, 257)
"""Products in halves of the last place: the smallest ties, and those around the clamp at 127."""

WIDE = (LOWEST, LOWEST + 1, HIGHEST, HIGHEST - 1, -(1 << 30), 1 << 30, (1 << 30) - 1, -3, 3, 0)
"""Accumulators whose products with large mantissas have up to 55 bits."""

WIDE_MULTIPLIERS = (1 << 23, (1 << 23) + 1, LARGEST_MULTIPLIER - 1, LARGEST_MULTIPLIER)


def rounding_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield a program of ties and one of wide products, each without and with relu."""
    generator = np.random.default_rng([seed, 12])
    for relu in (False, True):
        name = "-relu" if relu else ""
        instructions, scratchpad = _ties(generator, relu)
        yield DirectedProgram(f"rounding/ties{name}", bundle_of(instructions, scratchpad=scratchpad))
        instructions, scratchpad = _wide(generator, relu)
        yield DirectedProgram(f"rounding/wide{name}", bundle_of(instructions, scratchpad=scratchpad))


def _ties(generator: np.random.Generator, relu: bool) -> tuple[list[Instruction], WordArray]:
    """Return an RQ a shift, over ties and their neighbours: acc·m = half·2^(s − 1), with m a power of two."""
    instructions: list[Instruction] = []
    row: list[int] = []
    for shift in range(1, LARGEST_SHIFT + 1):
        exponent = shift - 1
        in_multiplier = min(exponent, 23)
        ties = [half << (exponent - in_multiplier) for half in HALVES]
        near = [sign * tie + step for tie in ties for sign in (1, -1) for step in (-1, 0, 1)]
        accumulators = [each for each in near if LOWEST <= each <= HIGHEST] or [LOWEST, HIGHEST]
        instructions.append(
            Requantize(RESULTS + len(row), len(row), len(accumulators), 1 << in_multiplier, shift, relu)
        )
        row.extend(accumulators)
    return instructions, _scratchpad(generator, row)


def _wide(generator: np.random.Generator, relu: bool) -> tuple[list[Instruction], WordArray]:
    """Return an RQ for every shift and wide mantissa, to words of its own."""
    count = len(WIDE)
    instructions: list[Instruction] = []
    for shift in range(LARGEST_SHIFT + 1):
        for multiplier in WIDE_MULTIPLIERS:
            instructions.append(
                Requantize(count * (len(instructions) + 1), 0, count, multiplier, shift, relu)
            )
    return instructions, _scratchpad(generator, WIDE)


def _scratchpad(generator: np.random.Generator, row: list[int] | tuple[int, ...]) -> WordArray:
    scratchpad = random_words(generator, SCRATCHPAD_WORDS)
    scratchpad[: len(row)] = words(row)
    return scratchpad
