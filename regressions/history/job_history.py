"""One job over the nights."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from regressions.history.database import HistoryError, checked_time
from sequences.near_names import did_you_mean

GOOD = ("passed", "skipped")


@dataclass(frozen=True)
class JobRun:
    """What a job came to in one night."""

    night: str
    began: str
    """Of the night: UTC, ISO 8601."""
    revision: str
    seed: int
    status: str
    reason: str
    cycles: int
    seconds: float


def runs_of(connection: sqlite3.Connection, job: str) -> list[JobRun]:
    """Return all runs of the jobs of that name, the newest last. Raises HistoryError if there is none."""
    rows = connection.execute(
        """
        SELECT nights.name AS night, began, revision, seed, status, reason, cycles, jobs.seconds
        FROM jobs JOIN nights ON nights.id = jobs.night
        WHERE jobs.name = ? ORDER BY began, nights.name
        """,
        [job],
    ).fetchall()
    if not rows:
        names = [row["name"] for row in connection.execute("SELECT DISTINCT name FROM jobs")]
        raise HistoryError(f"there is no job {job!r} in the history{did_you_mean(job, names)}")
    for row in rows:
        checked_time(row["began"])
    return [JobRun(**row) for row in rows]


def failing_since(runs: list[JobRun]) -> JobRun | None:
    """Return the first of the runs in a row that did not pass, up to the last one; None if that is good."""
    first = None
    for run in reversed(runs):
        if run.status in GOOD:
            break
        first = run
    return first
