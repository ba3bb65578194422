"""A night that ends, held against the ones before it: cycle counts must stay, and speed should."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from regressions.history.database import opened
from regressions.history.recording import STANDING
from regressions.nightly.night import Night
from regressions.nightly.result import JobResult, Status

DROP = 0.25
"""A throughput lower by more than this part is told."""

NIGHTS_COMPARED, NIGHTS_NEEDED = 5, 3
"""The median of so many nights is what throughput is held against; of fewer, nothing is said."""


@dataclass(frozen=True)
class Expectations:
    """What is not as it was, a sentence each."""

    drifts: tuple[str, ...] = ()
    """Standing workloads whose cycles differ: the night is not good."""
    slower: tuple[str, ...] = ()
    """Throughput that dropped: a warning."""


def held_against_history(history: Path, night: Night) -> Expectations:
    """Compare a night with those before it; where there is no history there is nothing to say.

    Raises HistoryError when there is one that cannot be read.
    """
    if not history.is_file():
        return Expectations()
    began = datetime.fromisoformat(night.plan.began).astimezone(UTC).isoformat(timespec="seconds")
    passed = [
        result for _, result in night.results() if result is not None and result.status is Status.PASSED
    ]
    with opened(history) as connection:
        standing = (result for result in passed if STANDING in result.job.tags)
        drifts = [_drift(connection, began, result) for result in standing]
        return Expectations(tuple(filter(None, drifts)), tuple(_slower(connection, began, passed)))


def _drift(connection: sqlite3.Connection, began: str, result: JobResult) -> str:
    """Return what is wrong with the cycles of a standing workload; nothing if they are what they were.

    What they must be was found in the last night whose counts were accepted, else in the first that ran it.
    """
    row = connection.execute(
        """
        SELECT cycles, nights.name AS night FROM jobs
        JOIN nights ON nights.id = jobs.night
        LEFT JOIN accepted_cycles ON accepted_cycles.night = nights.id
        WHERE standing AND fingerprint = ? AND status = 'passed' AND began < ?
        ORDER BY
            accepted_cycles.night IS NULL,
            CASE WHEN accepted_cycles.night IS NULL THEN began END,
            began DESC
        LIMIT 1
        """,
        [result.job.fingerprint, began],
    ).fetchone()
    if row is None or row["cycles"] == result.cycles:
        return ""
    return f"{result.job.name} took {result.cycles:,} cycles, but {row['cycles']:,} in {row['night']}"


def _slower(connection: sqlite3.Connection, began: str, passed: Iterable[JobResult]) -> Iterator[str]:
    """Yield what is slower than it was on the same machine.

    A simulator's build is judged over all entries that earlier nights ran there too: by the seconds that
    their cycles would have taken then. So another choice of jobs is no other throughput.
    """
    taken: dict[tuple[str, str, str], tuple[float, float]] = {}
    for (machine, entry, simulator, build), (cycles, seconds) in _sums(passed).items():
        usual = _usual_pace(connection, began, machine, entry, simulator, build)
        if usual is not None:
            expected, found = taken.get((simulator, build, machine), (0.0, 0.0))
            taken[simulator, build, machine] = expected + cycles / usual, found + seconds
    for (simulator, build, machine), (expected, found) in sorted(taken.items()):
        if expected / found < 1 - DROP:
            yield (
                f"{simulator} ({build}) runs at {expected / found:.0%} of its throughput in the last nights "
                f"on this machine ({machine})"
            )


def _sums(passed: Iterable[JobResult]) -> dict[tuple[str, str, str, str], tuple[int, float]]:
    """Return cycles and CPU seconds by machine, entry, simulator and build."""
    sums: dict[tuple[str, str, str, str], tuple[int, float]] = {}
    for result in passed:
        job, cost = result.job, result.cost
        if result.cycles and cost.simulation_cpu > 0:
            key = (cost.machine, job.entry, job.simulator, job.build)
            cycles, seconds = sums.get(key, (0, 0.0))
            sums[key] = (cycles + result.cycles, seconds + cost.simulation_cpu)
    return sums


def _usual_pace(
    connection: sqlite3.Connection, began: str, machine: str, entry: str, simulator: str, build: str
) -> float | None:
    rows = connection.execute(
        """
        SELECT cycles / simulation_cpu AS pace FROM throughput JOIN nights ON nights.id = throughput.night
        WHERE machine = ? AND entry = ? AND simulator = ? AND build = ? AND began < ?
        ORDER BY began DESC LIMIT ?
        """,
        [machine, entry, simulator, build, began, NIGHTS_COMPARED],
    ).fetchall()
    return median(row["pace"] for row in rows) if len(rows) >= NIGHTS_NEEDED else None
