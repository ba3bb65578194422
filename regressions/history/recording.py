"""Puts nights into the history."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from regressions.history.database import HistoryError, opened
from regressions.history.document import NightDocument, read_night
from regressions.history.nights import RecordedNight, chip_text, find_night

STANDING = "standing"
"""Tag of workloads whose cycle counts must never change."""

INITIAL_STATE = "initial_state"
"""Kind of the failure that a stimulus depends on its initial state."""


@dataclass(frozen=True)
class Import:
    """What came of nights that were to be put into a history."""

    new: int
    replaced: int
    refused: tuple[str, ...]
    """Why a night was not put in, a sentence each that names it."""


def record_nights(history: Path, places: Sequence[Path]) -> int:
    """Put nights, given by directory or summary, into a history, all or none; return how many are new there.

    One that is there already, before it was resumed for instance, is replaced. Raises HistoryError.
    """
    return _record_all(history, [read_night(place, NightDocument) for place in places])


def import_nights(history: Path, places: Sequence[Path]) -> Import:
    """Put those of the nights into a history that can be read, and tell of the others.

    Raises HistoryError when the history itself is damaged or cannot be written.
    """
    documents: list[NightDocument] = []
    refused: list[str] = []
    for place in places:
        try:
            documents.append(read_night(place, NightDocument))
        except HistoryError as error:
            refused.append(str(error))
    new = _record_all(history, documents) if documents else 0
    return Import(new, len(documents) - new, tuple(refused))


def _record_all(history: Path, documents: Sequence[NightDocument]) -> int:
    with opened(history, create=True) as connection:
        return sum(_record(connection, document) for document in documents)


def accept_cycles(history: Path, name: str, reason: str) -> RecordedNight:
    """Make the cycle counts of a night those that later nights must have. Raises HistoryError."""
    if not reason.strip():
        raise HistoryError("--reason: say why other cycle counts are right")
    with opened(history) as connection:
        night = find_night(connection, name)
    with opened(history, create=True) as connection:
        connection.execute("INSERT OR REPLACE INTO accepted_cycles VALUES (?, ?)", [night.number, reason])
    return night


def _record(connection: sqlite3.Connection, night: NightDocument) -> bool:
    row = connection.execute("SELECT id FROM nights WHERE name = ?", [night.night]).fetchone()
    if row is None:
        number = _insert(connection, "nights", None, *_night(night))
    else:
        number = row["id"]
        columns = [each["name"] for each in connection.execute("PRAGMA table_info(nights)")][1:]
        assignments = ", ".join(f"{column} = ?" for column in columns)
        connection.execute(f"UPDATE nights SET {assignments} WHERE id = ?", [*_night(night), number])
        for table in ("versions", "jobs", "buckets", "throughput"):
            connection.execute(f"DELETE FROM {table} WHERE night = ?", [number])
    for tool, version in night.tools.items():
        _insert(connection, "versions", number, tool, version)
    for job in _jobs(night):
        _insert(connection, "jobs", number, *job)
    for bucket, jobs in _buckets(night):
        bucket_number = _insert(connection, "buckets", None, number, *bucket)
        for name in dict.fromkeys(jobs):
            _insert(connection, "bucket_jobs", bucket_number, name)
    _sum_up_throughput(connection, number)
    return row is None


def _insert(connection: sqlite3.Connection, table: str, *row: object) -> int:
    """Insert a row, all columns in the schema's order, and return its number if it has one."""
    values = ", ".join("?" * len(row))
    return connection.execute(f"INSERT INTO {table} VALUES ({values})", row).lastrowid or 0


def _night(night: NightDocument) -> tuple[object, ...]:
    """Return its columns, all but the first."""
    return (
        night.night,
        night.list,
        night.base_seed,
        night.began.astimezone(UTC).isoformat(timespec="seconds"),
        night.commit,
        chip_text(night.chip),
        not night.filtered and not night.missing,
        night.good,
        json.dumps(night.problems),
        night.programs,
        night.comparisons,
        night.coverage.hit,
        night.coverage.bins,
        night.cost.seconds,
    )


def _jobs(night: NightDocument) -> Iterator[tuple[object, ...]]:
    for job in night.jobs:
        if job.status is not None:
            yield (
                job.name,
                job.entry,
                job.test,
                job.simulator,
                job.build,
                job.seed,
                job.fingerprint,
                STANDING in job.tags,
                job.status,
                job.reason,
                job.programs,
                job.comparisons,
                job.cycles,
                job.seconds,
                job.simulation_cpu,
                job.machine,
            )


def _buckets(night: NightDocument) -> Iterator[tuple[tuple[object, ...], Sequence[str]]]:
    """Yield all columns of a bucket after those of its number and its night, and its jobs."""
    for each in night.buckets:
        signature = (each.kind, each.unit, each.opcode, each.role)
        yield (*signature, each.seed, each.job, each.explanation, each.shrunk, each.reproduce), each.jobs
    for dependence in night.initial_states.dependent:
        first, told = dependence.jobs[0], dependence.sentence
        signature = (INITIAL_STATE, "", "", dependence.stimulus)
        yield (*signature, None, first, told, "", dependence.reproduce), dependence.jobs


def _sum_up_throughput(connection: sqlite3.Connection, night: int) -> None:
    connection.execute(
        """
        INSERT INTO throughput
        SELECT night, simulator, build, machine, entry, sum(programs), sum(cycles), sum(simulation_cpu)
        FROM jobs
        WHERE night = ? AND status = 'passed' AND simulation_cpu > 0 AND cycles > 0
        GROUP BY night, simulator, build, machine, entry
        """,
        [night],
    )
