"""How long something may take: by its own CPU time, and, ten times as long, by the clock.

A busy machine gives a process little CPU time, which says nothing about the process. The clock is only a
guard against what sleeps for ever.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

from refmodel.errors import Ga2Error

FACTOR_VARIABLE = "GA2_TIMEOUT_FACTOR"
"""Environment variable with a number that all limits are multiplied by."""

CLOCK_FACTOR = 10


@dataclass(frozen=True)
class TimeLimit:
    """How long something may take."""

    cpu: float
    """Seconds of CPU time."""

    @property
    def clock(self) -> float:
        """Seconds by the clock."""
        return CLOCK_FACTOR * self.cpu

    @property
    def whole_seconds(self) -> int:
        """The CPU time as `ulimit -t` takes it."""
        return math.ceil(self.cpu)

    def times(self, number: int) -> TimeLimit:
        """Return a limit so many times as long."""
        return TimeLimit(number * self.cpu)


def time_limit(seconds: float) -> TimeLimit:
    """Return the limit of what may take so many seconds, by the user's factor. Raises Ga2Error."""
    return TimeLimit(seconds * _factor())


def require_factor(factor: float) -> float:
    """Return a factor that can be used. Raises Ga2Error."""
    if not 0 < factor < math.inf:
        raise Ga2Error(f"timeout factor {factor:g}: give a number above 0, for example 3")
    return factor


def _factor() -> float:
    text = os.environ.get(FACTOR_VARIABLE) or "1"
    try:
        return require_factor(float(text))
    except ValueError as error:
        raise Ga2Error(f"{FACTOR_VARIABLE}={text}: give a number above 0, for example 3") from error
