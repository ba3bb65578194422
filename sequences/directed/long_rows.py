"""SM over the longest rows: the largest sums of exponentials and the smallest, and one score against all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from refmodel.isa.instructions import Softmax
from refmodel.isa.limits import MAX_LENGTH, SCRATCHPAD_WORDS
from sequences.directed.directed_program import DirectedProgram, bundle_of, words

HIGHEST, LOWEST = 127, -128

ROWS: dict[str, Sequence[int]] = {
    "all-equal": [-3] * MAX_LENGTH,
    "one-above": [*[HIGHEST - 1] * (MAX_LENGTH - 1), HIGHEST],
    "one-against-all": [HIGHEST, *[LOWEST] * (MAX_LENGTH - 1)],
}

EQUAL = (2, 3, 2049)
"""Lengths of rows of equal scores in one program: from 2049 on their sum has 28 bits."""


def long_row_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield the programs, in place. Nothing in them depends on the seed: every word is a corner."""
    del seed
    for name, row in ROWS.items():
        bundle = bundle_of([Softmax(0, 0, MAX_LENGTH)], scratchpad=words(row))
        yield DirectedProgram(f"long-rows/{name}", bundle)
    places = accumulate(EQUAL, initial=0)
    equal = [Softmax(place, place, length) for place, length in zip(places, EQUAL, strict=False)]
    bundle = bundle_of(equal, scratchpad=words([17] * SCRATCHPAD_WORDS))
    yield DirectedProgram("long-rows/equal", bundle)
