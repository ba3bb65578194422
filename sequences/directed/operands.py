"""MM and VADD over corner operands: each against each other, at every K and at every short length.

Operands are −128, −127, −1, 0, 1, 127, an equal value everywhere, and the two ends in turn.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Instruction, MatMul, VectorAdd
from refmodel.isa.limits import MAX_DEPTH, MAX_TILE, SCRATCHPAD_WORDS
from refmodel.machine.result import WordArray
from sequences.directed.directed_program import DirectedProgram, bundle_of, random_words

ROWS = ((-128,), (-127,), (-1,), (0,), (1,), (127,), (85,), (127, -127))
"""Rows of operands, each repeated to the largest K."""

ADDENDS = (-128, -127, -1, 0, 1, 127, 85, -85)

B, C = 1024, 2048
"""Where the rows of B and the results lie; the rows of A lie at 0."""

SUMS = 1000
"""Where the sums of VADD lie."""


def operand_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield MM at every K, and VADD of every pair at every length of up to 64.

    Half of the rows of A meets one half of the columns of B where K is even, the other half where it is odd.
    """
    generator = np.random.default_rng([seed, 13])
    for half in (0, MAX_TILE):
        code = [_tile(k, half, (half + MAX_TILE * k) % len(ROWS)) for k in range(1, MAX_DEPTH + 1)]
        bundle = bundle_of(code, scratchpad=_scratchpad(generator))
        yield DirectedProgram(f"operands/mm-{half}", bundle)
    yield DirectedProgram("operands/vadd", bundle_of(_sums(), scratchpad=_pairs(generator)))


def _tile(k: int, first: int, second: int) -> Instruction:
    """Four rows of A against four columns of B, which lies transposed in every other pair of K."""
    transposed = k % 4 < 2
    place = C + (k - 1) * MAX_TILE * MAX_TILE
    if transposed:
        return MatMul(
            place, first * MAX_DEPTH, B + second * MAX_DEPTH, 4, k, 4, True, MAX_DEPTH, MAX_DEPTH, 4
        )
    plain = B + len(ROWS) * MAX_DEPTH + second
    return MatMul(place, first * MAX_DEPTH, plain, 4, k, 4, False, MAX_DEPTH, len(ROWS), 4)


def _scratchpad(generator: np.random.Generator) -> WordArray:
    """Return the rows of A, then those of B transposed, then B as it is; upper bits of words are random."""
    scratchpad = random_words(generator, SCRATCHPAD_WORDS)
    rows = np.array([np.resize(row, MAX_DEPTH) for row in ROWS])
    _put(scratchpad, 0, rows)
    _put(scratchpad, B, rows)
    _put(scratchpad, B + rows.size, rows.T)
    return scratchpad


def _sums() -> list[Instruction]:
    """Return VADD over the first 1 to 64 pairs, and over the last so many."""
    pairs = len(ADDENDS) ** 2
    place = SUMS
    instructions: list[Instruction] = []
    for length in range(1, pairs + 1):
        start = pairs - length if length % 2 else 0
        instructions.append(VectorAdd(place, start, pairs + start, length))
        place += length
    return instructions


def _pairs(generator: np.random.Generator) -> WordArray:
    """Return the first words of all pairs, then the second ones."""
    scratchpad = random_words(generator, SCRATCHPAD_WORDS)
    values = np.array(ADDENDS)
    _put(scratchpad, 0, np.repeat(values, len(values)))
    _put(scratchpad, len(values) ** 2, np.tile(values, len(values)))
    return scratchpad


def _put(scratchpad: WordArray, place: int, values: np.ndarray) -> None:
    """Put int8 values into the low bytes of words."""
    low = (values.ravel() & 0xFF).astype(np.uint32)
    area = scratchpad[place : place + low.size]
    area[:] = (area & np.uint32(0xFFFFFF00)) | low
