"""AMAX: every class of index up to the last, ties in long rows, and words whose difference overflows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np

from refmodel.isa.instructions import ArgMax, Instruction, Store
from refmodel.isa.limits import MAX_LENGTH, SCRATCHPAD_WORDS
from sequences.directed.directed_program import DirectedProgram, bundle_of, words

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1
LAST = MAX_LENGTH - 1

TOP = SCRATCHPAD_WORDS - 3
"""Where the largest word of a row lies; an equal one follows it, and a row begins as far before as needed."""

MIDDLING = (10, 20, 300)
"""Lengths of rows of every form."""

INDEX_BITS = 12
LONGEST_TIED = 64

VALUES = {"lowest": (LOWEST, LOWEST + 1), "overflow": (LOWEST, HIGHEST), "sign": (-1, 0)}
"""All words of a row but the largest, and the largest."""

PAIRS = (LOWEST, LOWEST + 1, LOWEST + 2, -(1 << 30) - 1, -(1 << 30), -2, -1, 0, 1, 1 << 30, (1 << 30) + 1,
         HIGHEST - 1, HIGHEST)  # fmt: skip
"""Words of which each stands before each other; many of their differences do not fit 32 bits."""


def argmax_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield the programs. Nothing in them depends on the seed: every word is a corner."""
    del seed
    for name, (lower, top) in VALUES.items():
        longest = TOP if name == "lowest" else LONGEST_TIED
        row = np.full(SCRATCHPAD_WORDS, lower, np.int64)
        row[TOP : TOP + 2] = top
        # Results lie where longer rows were read; a copy of those rows is kept.
        kept = Store(TOP - longest, 0, longest + 2)
        code = [kept, *_indices(longest)]
        yield DirectedProgram(f"argmax/index-{name}", bundle_of(code, scratchpad=words(row)))
    for name, values in _long_rows():
        bundle = bundle_of([ArgMax(MAX_LENGTH, 0, MAX_LENGTH)], scratchpad=words(values))
        yield DirectedProgram(f"argmax/longest-{name}", bundle)
    rows = [row for length in MIDDLING for row in _forms(length)]
    ends = list(accumulate(map(len, rows)))
    code = [
        ArgMax(SCRATCHPAD_WORDS - 1 - number, end - len(row), len(row))
        for number, (row, end) in enumerate(zip(rows, ends, strict=True))
    ]
    bundle = bundle_of(code, scratchpad=words(word for row in rows for word in row))
    yield DirectedProgram("argmax/middling", bundle)
    pairs = [word for first in PAIRS for second in PAIRS for word in (first, second)]
    code = [ArgMax(len(pairs) + place // 2, place, 2) for place in range(0, len(pairs), 2)]
    yield DirectedProgram("argmax/pairs", bundle_of(code, scratchpad=words(pairs)))


def _indices(longest: int) -> Iterator[Instruction]:
    """Yield AMAX with the first maximum at each power of two, one before and one after, short rows tied too.

    The longest row comes first, so that results lie where no later row reads.
    """
    near = {(1 << bit) + step for bit in range(INDEX_BITS) for step in (-1, 0, 1)}
    for index in sorted((each for each in near | {TOP} if each <= longest), reverse=True):
        start = TOP - index
        if index < TOP:
            yield ArgMax(start - 1, start, index + 1)
        else:
            yield ArgMax(SCRATCHPAD_WORDS - 1, start, index + 2)
        if index <= LONGEST_TIED:
            yield ArgMax(index, start, index + 2)


def _long_rows() -> Iterator[tuple[str, Sequence[int]]]:
    for name in ("lowest", "overflow"):
        lower, top = VALUES[name]
        yield f"last-{name}", [*[lower] * LAST, top]
    yield "first", [LOWEST + 1, *[LOWEST] * LAST]
    yield "inside", [*[LOWEST] * 2048, LOWEST + 1, *[LOWEST] * (LAST - 2048)]
    yield "tied-ends", [5, *[4] * (LAST - 1), 5]


def _forms(length: int) -> Iterator[Sequence[int]]:
    """Yield rows of one length by where the maximum is, and whether it comes again."""
    for tops in ([0], [0, 7], [6], [6, 8], [length - 1]):
        yield [HIGHEST if place in tops else HIGHEST - 1 for place in range(length)]
