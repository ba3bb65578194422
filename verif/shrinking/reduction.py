"""The two reductions that every pass is made of: fewer items, and a smaller number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from verif.shrinking.search import Trials

_T = TypeVar("_T")

MOST_PIECES = 16
"""Longer sequences are not cut into more pieces than these: only short ones are tried item by item."""


def fewer(items: Sequence[_T], attempt: Callable[[Sequence[_T]], Trials[bool]]) -> Trials[list[_T]]:
    """Leave out what can be left out, all at first, then halves, quarters and so on; return what is left.

    `attempt` tries a subsequence and says whether it is taken.
    """
    left = list(items)
    piece = len(left)
    while piece and len(left) <= piece * MOST_PIECES:
        start = 0
        while start < len(left):
            rest = [*left[:start], *left[start + piece :]]
            if (yield from attempt(rest)):
                left = rest
            else:
                start += piece
        piece //= 2
    return left


def smaller(value: int, attempt: Callable[[int], Trials[bool]], least: int = 0) -> Trials[int]:
    """Make a number smaller, down to `least`; return what it has become.

    The smallest come first, then the half, the smallest above which all are taken, if there is such a
    threshold, and at last the number with a bit less. `attempt` tries a number and says whether it is taken.
    """
    for small in (least, least + 1):
        if small < value and (yield from attempt(small)):
            return small
    while value - least > 1 and (yield from attempt(least + (value - least) // 2)):
        value = least + (value - least) // 2
    refused = least + (value - least) // 2
    while value - refused > 1:
        middle = (value + refused) // 2
        if (yield from attempt(middle)):
            value = middle
        else:
            refused = middle
    for bit in reversed(range(value.bit_length())):
        without = value & ~(1 << bit)
        if least < without < value and (yield from attempt(without)):
            value = without
    return value
