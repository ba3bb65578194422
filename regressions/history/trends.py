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


def trend(connection: sqlite3.Connection, nights: list[RecordedNight]) -> list[TrendPoint]:
    """Return what the nights covered and how fast they were."""
    return [TrendPoint(night, tuple(_speeds(connection, night))) for night in nights]


def cycle_changes(connection: sqlite3.Connection, nights: list[RecordedNight]) -> list[CycleChange]:
    """Return where cycle counts changed among the nights since the first of these, the oldest first."""
    rows = connection.execute(
        """
        SELECT * FROM (
            SELECT
                jobs.name AS job, nights.name AS night, began, revision, cycles AS after,
                accepted_cycles.reason AS accepted,
                lag(cycles) OVER (PARTITION BY fingerprint ORDER BY began, nights.name) AS before
            FROM nights
            CROSS JOIN jobs ON jobs.night = nights.id
            LEFT JOIN accepted_cycles ON accepted_cycles.night = nights.id
            WHERE began >= ? AND standing AND status = 'passed'
        )
        WHERE before <> after ORDER BY began, job
        """,
        [nights[0].began],
    )
    return [CycleChange(**row) for row in rows]


def _speeds(connection: sqlite3.Connection, night: RecordedNight) -> list[Speed]:
    rows = connection.execute(
        """
        SELECT simulator, build, machine,
            sum(cycles) / sum(simulation_cpu) AS cycles_per_second,
            sum(programs) / sum(simulation_cpu) AS programs_per_second
        FROM throughput WHERE night = ?
        GROUP BY simulator, build, machine ORDER BY simulator, build, machine
        """,
        [night.number],
    )
    return [Speed(**row) for row in rows]
