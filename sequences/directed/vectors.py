"""SM, VADD and AMAX: single elements, ties, the ends of their ranges, operands that coincide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from refmodel.isa.instructions import ArgMax, Instruction, Softmax, VectorAdd
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.result import WordArray
from sequences.directed.directed_program import DirectedProgram, bundle_of, random_words, words

RESULT = 3000

SOFTMAX_ROWS: dict[str, Sequence[int]] = {
    "one": [-77],
    "one-lowest": [-128],
    "equal-pair": [5, 5],
    "all-equal": [127] * 60,
    "exact-tie": [127, 127, -48, -48],
    "below-tie": [60, 52, 7, -29],  # e·r of the third is one less than a tie
    "far-apart": [127, -128],
    "every-difference": range(127, -129, -1),
    "rising": range(-128, 128),
    "all-lowest": [-128] * 7,
}

ARGMAX_ROWS: dict[str, Sequence[int]] = {
    "one": [-5],
    "tie-first": [9, 9, 3],
    "tie-later": [3, 9, 1, 9],
    "all-equal": [-1] * 20,
    "all-negative": [-7, -3, -9, -3],
    "last": [0, 1, 2, 3],
    "zero": [-7, 0, -1, -(1 << 31)],
    "extremes": [-(1 << 31), (1 << 31) - 1, 0, (1 << 31) - 1],
    "lowest-only": [-(1 << 31), -(1 << 31)],
    "sign": [-1, 1, 0x7FFFFFFE, -2],
}


def vector_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield the programs; the low byte counts where the unit takes int8, so upper bits are random there."""
    generator = np.random.default_rng([seed, 4])
    for name, row in SOFTMAX_ROWS.items():
        for place, destination in (("apart", RESULT), ("in-place", 0)):
            scratchpad = _scratchpad(generator, _bytes(generator, row))
            bundle = bundle_of([Softmax(destination, 0, len(row))], scratchpad=scratchpad)
            yield DirectedProgram(f"vectors/sm-{name}-{place}", bundle)
    for name, row in ARGMAX_ROWS.items():
        for place, destination in (("apart", RESULT), ("inside", len(row) // 2)):
            bundle = bundle_of(
                [ArgMax(destination, 0, len(row))], scratchpad=_scratchpad(generator, words(row))
            )
            yield DirectedProgram(f"vectors/amax-{name}-{place}", bundle)
    for name, instruction in _additions():
        pairs = _bytes(generator, [*range(-128, 128), *range(127, -129, -1)])
        bundle = bundle_of([instruction], scratchpad=_scratchpad(generator, pairs))
        yield DirectedProgram(f"vectors/vadd-{name}", bundle)


def _additions() -> Iterator[tuple[str, Instruction]]:
    """Words 0..255 rise from -128, words 256..511 fall from 127."""
    yield "cancelling", VectorAdd(RESULT, 0, 256, 256)
    yield "doubling", VectorAdd(RESULT, 0, 0, 256)
    yield "sources-overlap", VectorAdd(RESULT, 0, 3, 300)
    yield "onto-first", VectorAdd(0, 0, 256, 256)
    yield "onto-second", VectorAdd(256, 0, 256, 256)
    yield "onto-both", VectorAdd(0, 0, 0, 256)


def _bytes(generator: np.random.Generator, values: Sequence[int]) -> WordArray:
    """Return int8 values under random upper bits."""
    low = np.array(values, np.int64).astype(np.uint32) & np.uint32(0xFF)
    noise = random_words(generator, len(low)) & np.uint32(0xFFFFFF00)
    return (noise | low).astype(np.uint32)


def _scratchpad(generator: np.random.Generator, row: WordArray) -> WordArray:
    scratchpad = random_words(generator, SCRATCHPAD_WORDS)
    scratchpad[: len(row)] = row
    return scratchpad
