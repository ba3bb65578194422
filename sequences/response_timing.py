"""When each read is answered, under a pattern of delays: plain arithmetic, without a simulator."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate

from sequences.stimulus import ResponseDelays

LONGEST_BURST = 8
"""Responses in a row of the pattern `bursts`."""


class ResponseTimer:
    """Decides the cycle of each answer from the cycle of its request, in order, one a cycle.

    random        even odds between the shortest and the longest delay
    shortest      every delay the shortest: a memory as fast as it may be
    longest       every delay the longest: all answers in a row, late
    alternating   shortest and longest in turn: an answer waits for the one before it, then two come in a row
    long-first    the longest for the first read of a load, the shortest for the rest; since an LD requests a
                  word every cycle and answers keep their order, they come in a row behind the first
    long-last     the longest for the last read of a load alone: the LD has all of its words but one
    bursts        rows of one to eight answers with gaps of random length, as long as the longest delay
    """

    def __init__(self, delays: ResponseDelays, load_lengths: Sequence[int]) -> None:
        """Begin before the first request of a run whose loads have these lengths, in order."""
        self._delays = delays
        self._random = random.Random(delays.seed)
        ends = list(accumulate(load_lengths))
        self._firsts = {0, *ends}
        self._lasts = {end - 1 for end in ends}
        self._number = 0
        self._last = 0
        self._burst = 0

    def answer_cycle(self, request_cycle: int) -> int:
        """Return when the next request is answered; requests come with ascending cycles."""
        delays, number = self._delays, self._number
        earliest = request_cycle + delays.shortest
        match delays.pattern:
            case "random":
                earliest = request_cycle + self._random.randint(delays.shortest, delays.longest)
            case "bursts":
                earliest = self._in_bursts(earliest)
            case _ if self._is_long(number):
                earliest = request_cycle + delays.longest
        self._number += 1
        self._last = max(earliest, self._last + 1)
        return self._last

    def _is_long(self, number: int) -> bool:
        """Has the read of this number the longest delay, in a pattern that draws nothing?"""
        match self._delays.pattern:
            case "longest":
                return True
            case "alternating":
                return number % 2 == 1
            case "long-first":
                return number in self._firsts
            case "long-last":
                return number in self._lasts
            case _:
                return False

    def _in_bursts(self, earliest: int) -> int:
        """Return the next cycle of the burst, or the first one of another burst after a gap."""
        if self._burst == 0:
            self._burst = self._random.randint(1, LONGEST_BURST)
            gap = self._random.randint(0, self._delays.longest - self._delays.shortest)
            earliest = max(earliest, self._last + 1) + gap
        self._burst -= 1
        return earliest
