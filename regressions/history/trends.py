"""How coverage, throughput and the cycles of the standing workloads moved."""

from __future__ import annotations

import sqlite3
from dataclasses import asdict, dataclass
from typing import Any

from regressions.history.nights import RecordedNight


@dataclass(frozen=True)
class Speed:
    """Throughput of a simulator's build on one machine, over all jobs of a night that passed."""

    simulator: str
    build: str
    machine: str
    cycles_per_second: float
    """Of CPU time of the simulations, whatever ran beside them."""
    programs_per_second: float


@dataclass(frozen=True)
class TrendPoint:
    """One night."""

    night: RecordedNight
    speeds: tuple[Speed, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        speeds = [asdict(speed) for speed in self.speeds]
        return {**self.night.to_json(), "coverage": self.night.coverage, "speeds": speeds}


@dataclass(frozen=True)
class CycleChange:
    """A standing workload that took another number of cycles than in the night before that ran it."""

    job: str
    night: str
    began: str
    revision: str
    before: int
    after: int
    accepted: str | None
    """Why the night's counts were accepted; None if they were not."""


@dataclass(frozen=True)
class StandingCycles:
    """The standing workloads of a night on one simulator, those that passed."""

    night: int
    """Its number."""
    simulator: str
    workloads: int
    cycles: int


def trend(connection: sqlite3.Connection, nights: list[RecordedNight]) -> list[TrendPoint]:
    """Return what the nights covered and how fast they were."""
    speeds = _speeds(connection, nights[0].began)
    return [TrendPoint(night, tuple(speeds.get(night.number, ()))) for night in nights]


def cycle_changes(connection: sqlite3.Connection, nights: list[RecordedNight]) -> list[CycleChange]:
    """Return where cycle counts changed among the nights since the first of these, the oldest first."""
    rows = connection.execute(
        """
        SELECT night, fingerprint, jobs.name, jobs.cycles
        FROM nights CROSS JOIN jobs INDEXED BY standing_jobs_of_nights ON jobs.night = nights.id
        WHERE began >= ? AND standing AND status = 'passed'
        ORDER BY began, nights.name
        """,
        [nights[0].began],
    )
    last: dict[str, int] = {}
    changes = []
    for night, fingerprint, job, cycles in rows:
        before = last.get(fingerprint, cycles)
        last[fingerprint] = cycles
        if before != cycles:
            changes.append(_change(connection, night, job, before, cycles))
    return changes


def standing_cycles(connection: sqlite3.Connection, nights: list[RecordedNight]) -> list[StandingCycles]:
    """Return what the standing workloads of each of these nights took, by simulator."""
    return [
        StandingCycles(night.number, *row)
        for night in nights
        for row in connection.execute(
            """
            SELECT simulator, count(*), sum(cycles) AS cycles FROM jobs INDEXED BY standing_jobs_of_nights
            WHERE night = ? AND standing AND status = 'passed' GROUP BY simulator ORDER BY simulator
            """,
            [night.number],
        )
    ]


def _change(connection: sqlite3.Connection, number: int, job: str, before: int, after: int) -> CycleChange:
    (name, began, revision, accepted) = connection.execute(
        """
        SELECT name, began, revision, reason
        FROM nights LEFT JOIN accepted_cycles ON accepted_cycles.night = nights.id
        WHERE nights.id = ?
        """,
        [number],
    ).fetchone()
    return CycleChange(job, name, began, revision, before, after, accepted)


def _speeds(connection: sqlite3.Connection, since: str) -> dict[int, list[Speed]]:
    """Return the speeds of every night from a time on, by its number."""
    rows = connection.execute(
        """
        SELECT night, simulator, build, machine,
            sum(cycles) / sum(simulation_cpu) AS pace, sum(programs) / sum(simulation_cpu) AS pace
        FROM throughput WHERE night IN (SELECT id FROM nights WHERE began >= ?)
        GROUP BY night, simulator, build, machine ORDER BY night, simulator, build, machine
        """,
        [since],
    )
    speeds: dict[int, list[Speed]] = {}
    for night, *speed in rows:
        speeds.setdefault(night, []).append(Speed(*speed))
    return speeds
