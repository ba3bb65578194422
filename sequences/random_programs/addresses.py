"""Where operands lie: starts of every kind, and places apart from others."""

from __future__ import annotations

from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from sequences.random_programs.draws import Draws
from sequences.random_programs.kinds import AddressKind


def scratchpad_start(draws: Draws, kind: AddressKind, length: int) -> int:
    """Return the start of `length` neighbouring words, at most 4096; a single word never wraps."""
    return _start(draws, kind, length, SCRATCHPAD_WORDS, wraps=True)


def external_start(draws: Draws, kind: AddressKind, length: int, ext_words: int) -> int:
    """Return the start of `length` external words that a program may touch, at most `ext_words`.

    Where they may not wrap, a wrapping kind ends at the last word.
    """
    return _start(draws, kind, length, ext_words, wraps=ext_words == EXT_ADDRESS_WORDS)


def _start(draws: Draws, kind: AddressKind, length: int, memory_words: int, *, wraps: bool) -> int:
    last = memory_words - length
    match kind:
        case AddressKind.ANYWHERE:
            return draws.between(0, last)
        case AddressKind.FIRST:
            return 0
        case AddressKind.WRAPPING if wraps and length > 1:
            return draws.between(last + 1, memory_words - 1)
        case _:
            return last


def apart_from(draws: Draws, other: int, length: int, *, other_length: int | None = None) -> int:
    """Return a start of `length` words disjoint from the `other_length` (None: as many) words at `other`.

    Together they must have room in the scratchpad.
    """
    taken = length if other_length is None else other_length
    return (other + draws.between(taken, SCRATCHPAD_WORDS - length)) % SCRATCHPAD_WORDS


def adjacent_to(draws: Draws, other: int, length: int) -> int:
    """Return a start of `length` words just before or just after as many words at `other`."""
    return (other + draws.element((length, -length))) % SCRATCHPAD_WORDS
