"""How sequences of writes differ, told by letters: a letter is an address, a digit the data."""

from __future__ import annotations

import pytest

from refmodel.machine.events import ALL_BITS, CycleSpan, Memory, Write
from verif.divergence.kind import DivergenceKind as Kind
from verif.divergence.word_order import compare_order


def writes(text: str) -> list[Write]:
    """Return writes from pairs such as `a1`; `a?` is undefined."""
    return [
        Write(
            Memory.SCRATCHPAD,
            0,
            ord(pair[0]),
            0 if pair[1] == "?" else int(pair[1]),
            CycleSpan.at(1),
            ALL_BITS if pair[1] == "?" else 0,
        )
        for pair in text.split()
    ]


@pytest.mark.parametrize(
    ("expected", "found", "kind"),
    [
        ("a1 b2 c3", "a9 b2 c3", Kind.DATA),
        ("a1 b2 c3", "a2 b1 c3", Kind.DATA),
        ("a1 b2 c3", "a9", Kind.DATA),
        ("a1 a2 b3", "a2 a2 b3", Kind.DATA),
        ("a1 b2 c3", "x1 b2 c3", Kind.ADDRESS),
        ("a1 b2 c3", "b1 b2 c3", Kind.ADDRESS),
        # A vector of equal words one address too far is no vector without its first word.
        ("a0 b0 c0", "b0 c0 d0", Kind.ADDRESS),
        ("a1 b2 c3", "x9", Kind.ADDRESS),
        ("a1 b1 a1 b1", "b1 b1 a1 b1", Kind.ADDRESS),
        ("a1 b2 c3", "b2 a1 c3", Kind.ORDER),
        ("a1 b2 c3", "c3 b2 a1", Kind.ORDER),
        ("a1 a2", "a2 a1", Kind.ORDER),
        ("a? b2 a1", "a1 b2 a7", Kind.DATA),
        ("a? b2 c3", "b2 a7 c3", Kind.ORDER),
        ("a1 b2 c3", "b2 a1", Kind.ORDER),
        ("a1 b2 c3", "b2 c3", Kind.MISSING),
        ("a1 a2", "a2", Kind.MISSING),
        ("a1 b2 c3 d4", "b2 c3", Kind.MISSING),
        ("a1 b2 c3 d4", "b2 x9", Kind.MISSING),
        ("a1 b2 c3", "x9 a1 b2 c3", Kind.EXTRA),
        ("a1 b2 c3", "a9 a1 b2 c3", Kind.EXTRA),
        ("a1 b2", "x9 a1 y9 b2", Kind.EXTRA),
    ],
)
def test_first_write(expected: str, found: str, kind: Kind) -> None:
    assert compare_order(writes(expected), writes(found)) is kind
