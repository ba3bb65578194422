"""Integer decisions from derived seeds: the same on every machine, whatever else is drawn.

Each program has a stream of its own for each purpose, so what one purpose draws never moves another. Only
integers are drawn and only integer arithmetic follows: no floating-point library has a say.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import IntEnum
from typing import Protocol, TypeVar

import numpy as np

Value = TypeVar("Value")
ValueOut = TypeVar("ValueOut", covariant=True)

WORD_BITS = 64

_BLOCK = 128
"""Words drawn from numpy at a time: one call for many small decisions."""


class Purpose(IntEnum):
    """What a stream of decisions is for; part of its seed, so the numbers must stay as they are."""

    PROGRAM = 0
    """Instructions and memory images of a program."""
    STIMULUS = 1
    """What happens around it."""
    DATA = 2
    """Words of a data region."""
    RESERVED_BITS = 3
    """Bits of instruction words that no field holds."""
    SURROUNDINGS = 4
    """What else happens around it: drawn apart, so that the stimuli before it stay as they were."""


class Table(Protocol[ValueOut]):
    """Values with weights."""

    @property
    def choices(self) -> Sequence[ValueOut]:
        """The values."""

    @property
    def cumulative(self) -> Sequence[int]:
        """For each value the sum of its own weight and of those before it."""


def generator(purpose: Purpose, *key: int) -> np.random.Generator:
    """Return the generator of a purpose and a key, integers of at least 0 each."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([int(purpose), *key])))


class Draws:
    """A stream of decisions."""

    def __init__(self, purpose: Purpose, *key: int) -> None:
        """Begin the stream of a purpose and a key, a seed and a program's number say."""
        self._generator = generator(purpose, *key)
        self._words: list[int] = []

    def below(self, count: int) -> int:
        """Return one of 0..`count` − 1, all equally likely (but for less than count / 2^64)."""
        if not self._words:
            self._words = self._generator.integers(0, 1 << WORD_BITS, _BLOCK, dtype=np.uint64).tolist()
        return self._words.pop() * count >> WORD_BITS

    def between(self, smallest: int, largest: int) -> int:
        """Return one of `smallest`..`largest`, all equally likely."""
        return smallest + self.below(largest - smallest + 1)

    def percent(self, odds: int) -> bool:
        """Return true in `odds` of 100 cases."""
        return self.below(100) < odds

    def element(self, values: Sequence[Value]) -> Value:
        """Return one of some values, all equally likely."""
        return values[self.below(len(values))]

    def choose(self, table: Table[Value]) -> Value:
        """Return one of a table's values, each as likely as its weight says."""
        cumulative = table.cumulative
        return table.choices[bisect_right(cumulative, self.below(cumulative[-1]))]

    def seed(self) -> int:
        """Return a seed for data, 32 bits."""
        return self.below(1 << 32)
