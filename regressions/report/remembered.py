"""What the history says of a night: what is new or known, and how the nights before it went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regressions.history.database import HistoryError, opened
from regressions.history.failures import RecordedFailure, failures_of
from regressions.history.nights import RecordedNight, find_night, night_before, nights_up_to, statuses
from regressions.history.trends import (
    CycleChange,
    StandingCycles,
    TrendPoint,
    cycle_changes,
    standing_cycles,
    trend,
)

NIGHTS_SHOWN = 30
"""So many nights up to this one make the trends."""


@dataclass(frozen=True)
class Remembered:
    """The history's answers; empty ones, and why, where it does not know the night."""

    unknown: str = ""
    """Why nothing is told, in a sentence; empty where it is."""
    before: RecordedNight | None = None
    """The night that this one is held against."""
    failures: Sequence[RecordedFailure] = ()
    points: Sequence[TrendPoint] = ()
    """Nights of the same list and RTL, the newest last."""
    jobs: Sequence[dict[str, int]] = ()
    """Of each of them, jobs by status."""
    standing: Sequence[StandingCycles] = ()
    changes: Sequence[CycleChange] = ()


def remember(history: Path, night: str) -> Remembered:
    """Ask the history about a night. Raises HistoryError for a damaged one, or one of a later version."""
    if not history.exists():
        return Remembered(f"there is no history in {history}; nights add themselves as they end")
    with opened(history) as connection:
        try:
            told = find_night(connection, night)
        except HistoryError:
            return Remembered(
                f"the history in {history} does not have this night; nights add themselves as they end, and "
                "`history import` adds others"
            )
        nights = nights_up_to(connection, told, NIGHTS_SHOWN)
        last = nights[-1].began
        return Remembered(
            before=night_before(connection, told),
            failures=failures_of(connection, told),
            points=trend(connection, nights),
            jobs=[statuses(connection, each) for each in nights],
            standing=standing_cycles(connection, nights),
            changes=[each for each in cycle_changes(connection, nights) if each.began <= last],
        )
