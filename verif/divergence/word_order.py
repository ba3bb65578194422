"""Decides how two sequences of writes of one instruction, whose first writes differ, differ as sequences."""

from __future__ import annotations

from collections.abc import Sequence

from refmodel.machine.events import Write
from verif.divergence.kind import DivergenceKind
from verif.divergence.streams import same_word

Writes = Sequence[Write]


def compare_order(expected: Writes, found: Writes) -> DivergenceKind:
    """Return MISSING, EXTRA, ORDER, DATA or ADDRESS for the first write of each.

    A write is missing if the others follow as they must, extra if the expected ones follow it, and out of
    order if the same writes follow in another order. Only the rest is a matter of the word itself: where the
    address is right the data are wrong.
    """
    if len(found) < len(expected) and _agree(expected[1:], found):
        return DivergenceKind.MISSING
    if len(found) > len(expected) and _agree(expected, found[1:]):
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


def _agree(expected: Writes, found: Writes) -> bool:
    """Do two sequences agree as far as both go?"""
    return all(same_word(must, came) for must, came in zip(expected, found, strict=False))


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
