"""A dimension of a coverage item: named bins, each a name or a range of integers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

IndexArray = NDArray[np.int64]

NO_BIN = -1
"""What stands for a value that lies in none of the bins."""

_RANGE = re.compile(r"(-?\d+)(?:\.\.(-?\d+))?")


@dataclass(frozen=True)
class Dimension:
    """One question about a program, and the answers that are told apart."""

    name: str
    bins: tuple[str, ...]
    """Names, or ranges of integers such as `7` and `8..63`, ascending and disjoint."""
    numeric: bool
    any: str
    """What stands in a sentence for all of them."""

    def index(self, bin_name: str) -> int:
        """Return the number of a bin; KeyError for an unknown name."""
        return self._numbers[bin_name]

    def indices(self, values: ArrayLike) -> IndexArray:
        """Return the number of the bin that each integer lies in, `NO_BIN` where there is none."""
        numbers = np.asarray(values, np.int64)
        found: IndexArray = np.searchsorted(self._lowest, numbers, side="right") - 1
        return np.where(numbers <= self._highest[found], found, NO_BIN)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.bins)}

    @cached_property
    def bounds(self) -> tuple[tuple[int, int], ...]:
        """The lowest and the highest integer of every bin; of a name, its number."""
        if self.numeric:
            return tuple(range_bounds(name) for name in self.bins)
        return tuple((number, number) for number in range(len(self.bins)))

    @cached_property
    def _lowest(self) -> IndexArray:
        return np.array([low for low, _ in self.bounds], np.int64)

    @cached_property
    def _highest(self) -> IndexArray:
        """With one more at the end, for what lies below every bin: index −1 finds it."""
        return np.array([*(high for _, high in self.bounds), np.iinfo(np.int64).min])


def range_bounds(text: str) -> tuple[int, int]:
    """Return both ends of `7` or `8..63`; ValueError when it is neither."""
    match = _RANGE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no range of integers, such as 7 or 8..63")
    low = int(match[1])
    return low, int(match[2]) if match[2] else low


def ranges(name: str, texts: Sequence[str], any_words: str) -> Dimension:
    """Return a numeric dimension; ValueError when there are no ranges, or they do not ascend."""
    if not texts:
        raise ValueError(f"there is no integer for {name}")
    previous: int | None = None
    for text in texts:
        low, high = range_bounds(text)
        if low > high or (previous is not None and low <= previous):
            raise ValueError(f"range {text} of {name} does not ascend")
        previous = high
    return Dimension(name, tuple(texts), True, any_words)


def every(name: str, text: str, any_words: str) -> Dimension:
    """Return a numeric dimension with a bin for every integer of a range; ValueError when there is none."""
    low, high = range_bounds(text)
    return ranges(name, [str(number) for number in range(low, high + 1)], any_words)
