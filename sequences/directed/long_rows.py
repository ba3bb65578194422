"""SM over the longest rows: the largest sums of exponentials and the smallest, and one score against all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from refmodel.isa.instructions import Instruction, Softmax, Store
from refmodel.isa.limits import MAX_LENGTH, SCRATCHPAD_WORDS
from sequences.directed.directed_program import DirectedProgram, bundle_of, words

HIGHEST, LOWEST = 127, -128

ROWS: dict[str, Sequence[int]] = {
    "all-equal": [-3] * MAX_LENGTH,
    "two-above": [*[HIGHEST - 1] * (MAX_LENGTH - 2), HIGHEST, HIGHEST],
    "one-against-all": [HIGHEST, *[LOWEST] * (MAX_LENGTH - 1)],
    "largest-inside": [*[4] * 2048, 5, *[4] * (MAX_LENGTH - 2049)],
    "largest-last": [*[4] * (MAX_LENGTH - 1), 5],
}

MIDDLING = (10, 20, 300)
"""Lengths of rows of every form."""

EQUAL = (2, 3, 2049)
"""Lengths of rows of equal scores in one program: from 2049 on their sum has 28 bits."""


def long_row_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield the programs. Nothing in them depends on the seed: every word is a corner.

    The longest rows are overwritten in place, so a copy of them is kept.
    """
    del seed
    for name, row in ROWS.items():
        code: list[Instruction] = [Store(0, 0, MAX_LENGTH), Softmax(0, 0, MAX_LENGTH)]
        bundle = bundle_of(code, scratchpad=words(row))
        yield DirectedProgram(f"long-rows/{name}", bundle)
    for name, forms, lengths in (("middling", _forms, MIDDLING), ("positions", _positions, (2, *MIDDLING))):
        rows = [row for length in lengths for row in forms(length)]
        ends = list(accumulate(map(len, rows)))
        apart = [
            Softmax(SCRATCHPAD_WORDS // 2 + end - len(row), end - len(row), len(row))
            for row, end in zip(rows, ends, strict=True)
        ]
        bundle = bundle_of(apart, scratchpad=words(score for row in rows for score in row))
        yield DirectedProgram(f"long-rows/{name}", bundle)
    places = accumulate(EQUAL, initial=0)
    equal = [Softmax(place, place, length) for place, length in zip(places, EQUAL, strict=False)]
    bundle = bundle_of(equal, scratchpad=words([17] * SCRATCHPAD_WORDS))
    yield DirectedProgram("long-rows/equal", bundle)


def _positions(length: int) -> Iterator[Sequence[int]]:
    """Yield rows of one length whose largest score is first, inside, and inside and again; of two, last."""
    for tops in ([0], [6], [6, 8]) if length > 2 else ([1],):
        yield [1 if place in tops else 0 for place in range(length)]


def _forms(length: int) -> Iterator[Sequence[int]]:
    """Yield rows of one length: all equal, one largest, several largest, and the widest difference."""
    yield [LOWEST] * length
    yield [*[0] * (length - 1), 1]
    yield [1, *[0] * (length - 2), 1]
    yield [*[LOWEST] * (length - 1), HIGHEST]
