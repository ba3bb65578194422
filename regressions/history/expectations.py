"""A night that ends, held against the ones before it: cycle counts must stay, and speed should."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import NamedTuple

from regressions.history.database import opened
from regressions.history.nights import chip_text
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


class _Workload(NamedTuple):
    """What one throughput is measured of."""

    machine: str
    entry: str
    simulator: str
    build: str


class _Earlier(NamedTuple):
    """Which nights count."""

    began: str
    """Before this time."""
    chip: str
    """On this RTL."""


def held_against_history(history: Path, night: Night) -> Expectations:
    """Compare a night with those before it; where there is no history there is nothing to say.

    Raises HistoryError when there is one that cannot be read.
    """
    if not history.is_file():
        return Expectations()
    began = datetime.fromisoformat(night.plan.began).astimezone(UTC).isoformat(timespec="seconds")
    earlier = _Earlier(began, chip_text(night.plan.chip))
    standing: list[JobResult] = []
    paces: dict[_Workload, tuple[int, float]] = {}
    for job, result in night.results():
        if result is not None and result.status is Status.PASSED:
            _add(paces, result)
            if STANDING in job.tags:
                standing.append(result)
    with opened(history) as connection:
        drifts = [_drift(connection, earlier, result) for result in standing]
        return Expectations(tuple(filter(None, drifts)), tuple(_slower(connection, earlier, paces)))


def _add(paces: dict[_Workload, tuple[int, float]], result: JobResult) -> None:
    """Add the cycles and CPU seconds of a result."""
    job, cost = result.job, result.cost
    if result.cycles and cost.simulation_cpu > 0:
        workload = _Workload(cost.machine, job.entry, job.simulator, job.build)
        cycles, seconds = paces.get(workload, (0, 0.0))
        paces[workload] = (cycles + result.cycles, seconds + cost.simulation_cpu)


def _drift(connection: sqlite3.Connection, earlier: _Earlier, result: JobResult) -> str:
    """Return what is wrong with the cycles of a standing workload; nothing if they are what they were.

    What they must be was found in the last night whose counts were accepted, else in the first that ran it.
    """
    row = connection.execute(
        """
        SELECT cycles, nights.name AS night FROM jobs
        JOIN nights ON nights.id = jobs.night
        LEFT JOIN accepted_cycles ON accepted_cycles.night = nights.id
        WHERE standing AND fingerprint = ? AND status = 'passed' AND began < ? AND chip = ?
        ORDER BY CASE WHEN accepted_cycles.night IS NULL THEN began END NULLS FIRST, began DESC
        LIMIT 1
        """,
        [result.job.fingerprint, *earlier],
    ).fetchone()
    if row is None or row["cycles"] == result.cycles:
        return ""
    return f"{result.job.name} took {result.cycles:,} cycles, but {row['cycles']:,} in {row['night']}"


def _slower(
    connection: sqlite3.Connection, earlier: _Earlier, paces: dict[_Workload, tuple[int, float]]
) -> Iterator[str]:
    """Yield what is slower than it was on the same machine.

    A simulator's build is judged over all entries that earlier nights ran there too: by the seconds that
    their cycles would have taken then. So another choice of jobs is no other throughput.
    """
    taken: dict[tuple[str, str, str], tuple[float, float]] = {}
    for workload, (cycles, seconds) in paces.items():
        usual = _usual_pace(connection, earlier, workload)
        if usual is not None:
            judged = (workload.simulator, workload.build, workload.machine)
            expected, found = taken.get(judged, (0.0, 0.0))
            taken[judged] = (expected + cycles / usual, found + seconds)
    for (simulator, build, machine), (expected, found) in sorted(taken.items()):
        if expected / found < 1 - DROP:
            yield (
                f"{simulator} ({build}) runs at {expected / found:.0%} of its throughput in the last nights "
                f"on this machine ({machine})"
            )


def _usual_pace(connection: sqlite3.Connection, earlier: _Earlier, workload: _Workload) -> float | None:
    """Return the median of cycles a second in the last nights; None if these are too few."""
    rows = connection.execute(
        """
        SELECT throughput.cycles / simulation_cpu AS pace
        FROM throughput JOIN nights ON nights.id = throughput.night
        WHERE (machine, entry, simulator, build) = (?, ?, ?, ?) AND began < ? AND chip = ?
        ORDER BY began DESC LIMIT ?
        """,
        [*workload, *earlier, NIGHTS_COMPARED],
    ).fetchall()
    return median(row["pace"] for row in rows) if len(rows) >= NIGHTS_NEEDED else None
