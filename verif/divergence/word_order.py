"""Decides how two sequences of writes of one instruction, whose first writes differ, differ as sequences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from refmodel.machine.events import Write
from verif.divergence.kind import DivergenceKind
from verif.divergence.streams import same_word

Writes = Sequence[Write]


def compare_order(expected: Writes, found: Writes) -> DivergenceKind:
    """Return MISSING, EXTRA, ORDER, DATA or ADDRESS for the first write of each.

    A write is missing if all that were found are expected, in that order, and extra if all that are expected
    are found; it is out of order if the same writes follow in another order. Only the rest is a matter of the
    word itself: where the address is right the data are wrong, unless the right word follows before the next.
    """
    if len(found) < len(expected) and (_all_expected(expected, found) or _data_follow(found, expected)):
        return DivergenceKind.MISSING
    if len(found) > len(expected) and (
        _all_found(expected, found) or _comes_next(expected[0], found) or _data_follow(expected, found)
    ):
        return DivergenceKind.EXTRA
    if len(found) == len(expected) and _is_permutation(expected, found):
        return DivergenceKind.ORDER
    if expected[0].address == found[0].address:
        return DivergenceKind.DATA
    if len(found) == len(expected):
        return DivergenceKind.ADDRESS
    found_comes_later = any(same_word(write, found[0]) for write in expected[1:])
    expected_comes_later = any(same_word(expected[0], write) for write in found[1:])
    if found_comes_later and expected_comes_later:
        return DivergenceKind.ORDER
    if found_comes_later and len(found) < len(expected):
        return DivergenceKind.MISSING
    if expected_comes_later and len(found) > len(expected):
        return DivergenceKind.EXTRA
    return DivergenceKind.ADDRESS


def _all_expected(expected: Writes, found: Writes) -> bool:
    """Is each write that was found an expected one, in the same order?"""
    rest = iter(expected)
    return all(any(same_word(must, came) for must in rest) for came in found)


def _all_found(expected: Writes, found: Writes) -> bool:
    """Is each expected write among those found, in the same order?"""
    rest = iter(found)
    return all(any(same_word(must, came) for came in rest) for must in expected)


def _comes_next(expected: Write, found: Writes) -> bool:
    """Does the expected word follow at once to the address that was written with another one?"""
    same_address = takewhile(lambda write: write.address == expected.address, found)
    return any(same_word(expected, write) for write in same_address)


def _data_follow(fewer: Writes, more: Writes) -> bool:
    """Are the data of the fewer writes those of the others but one, whose addresses then moved along?

    One word alone tells nothing.
    """
    rest = more[1:]
    return len(fewer) == len(rest) > 1 and all(
        one.data == other.data and not one.unknown and not other.unknown
        for one, other in zip(fewer, rest, strict=True)
    )


def _is_permutation(expected: Writes, found: Writes) -> bool:
    """Does every write found agree with an expected one of its own?"""
    left: dict[int, list[Write]] = {}
    for write in expected:
        left.setdefault(write.address, []).append(write)
    for write in found:
        candidates = left.get(write.address, [])
        match = next((each for each in candidates if same_word(each, write)), None)
        if match is None:
            return False
        candidates.remove(match)
    return True
