"""Nominal cycles: the generator's own measure of how long a program runs.

A recorded seed must name the same program after the cycle law has changed, so what bounds a program's length
cannot follow refmodel.isa.timing. These numbers were the law's when the generator was written. They stay as
they are when the law changes: they only have to be about right.

Stimuli are drawn in nominal cycles too. A `Timetable` moves them to the same place of the same instruction
under the law of today, so that a reset cuts the same instruction short under any law.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES, busy_cycles

OVERHEAD = 2
"""Nominal cycles of every word, HALT and a faulting one included."""


def nominal_cycles(instruction: Instruction, read_latency: int) -> int:
    """Return the nominal cycles of an instruction that completes, or of the word that ends a program."""
    match instruction:
        case Halt() | Illegal():
            return OVERHEAD
        case Load(length=length):
            return OVERHEAD + length + read_latency + 1
        case Store(length=length) | Requantize(length=length):
            return OVERHEAD + length + 2
        case MatMul(m=m, k=k, n=n):
            return OVERHEAD + m * k + k * n + m * n + k + m + n + 5
        case Softmax(length=length):
            return OVERHEAD + 3 * length + 47
        case VectorAdd(length=length):
            return OVERHEAD + 2 * length + 2
        case ArgMax(length=length):
            return OVERHEAD + length + 3


class Timetable:
    """The words that a program executes, in nominal and in actual cycles."""

    def __init__(self, completed: Sequence[Instruction], read_latency: int) -> None:
        """Take the instructions that complete; the word that ends the program follows them."""
        words = (*completed, Halt())
        front = FETCH_CYCLES + ISSUE_CYCLES
        nominal = [nominal_cycles(word, read_latency) for word in words]
        actual = [front + busy_cycles(word, read_latency) for word in words]
        self._nominal_ends, self._actual_ends = list(accumulate(nominal)), list(accumulate(actual))

    @property
    def nominal_total(self) -> int:
        """Nominal cycles of the program."""
        return self._nominal_ends[-1]

    def actual(self, nominal: int) -> int:
        """Return the actual cycle of a nominal one, from 1 on: in the same word, or as long after the end."""
        word = bisect_left(self._nominal_ends, nominal)
        if word == len(self._nominal_ends):
            return nominal + self._actual_ends[-1] - self._nominal_ends[-1]
        since_begin = nominal - (self._nominal_ends[word - 1] if word else 0)
        begin = self._actual_ends[word - 1] if word else 0
        return min(begin + since_begin, self._actual_ends[word])
