"""What fails in a night, since when, and what of it is new, known, fixed or flaky."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from regressions.history.database import HistoryError
from regressions.history.nights import RecordedNight, night_before, recorded
from regressions.nightly.buckets import Signature
from verif.shell_line import same_here


class State(StrEnum):
    """A bucket of a night, held against the night before: the last whole one of the same list and RTL."""

    NEW = "new"
    """It was not there the night before."""
    KNOWN = "known"
    """It was."""
    FLAKY = "flaky"
    """All of its jobs passed when they were run again, be it new or known."""
    FIXED = "fixed"
    """It was there the night before; some of its jobs ran again with their seeds, and all of these passed."""
    UNSEEN = "unseen"
    """It was there the night before, but no job that passed shows that it is gone."""


@dataclass(frozen=True)
class RecordedFailure:
    """A bucket."""

    signature: Signature
    state: State
    jobs: tuple[str, ...]
    """In the last night that had it: this one, or the night before."""
    simulators: tuple[str, ...]
    explanation: str
    reproduce: str
    since: RecordedNight
    """The first of the nights in a row that had it, up to that one."""
    last_without: RecordedNight | None
    """The whole night before those: what broke it came after its commit."""
    first_seen: RecordedNight
    """The first night, of any list and RTL, that ever had it."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values; nights by name, time and commit."""
        nights = {"since": self.since, "last_without": self.last_without, "first_seen": self.first_seen}
        told = {
            name: night and {"name": night.name, "began": night.began, "revision": night.revision}
            for name, night in nights.items()
        }
        return {
            **vars(self.signature),
            "state": self.state.value,
            "jobs": list(self.jobs),
            "simulators": list(self.simulators),
            "explanation": self.explanation,
            "reproduce": self.reproduce,
            **told,
        }


def failures_of(connection: sqlite3.Connection, night: RecordedNight) -> list[RecordedFailure]:
    """Return the buckets of a night and those of the night before that are not there any more."""
    before = night_before(connection, night)
    now = _buckets(connection, night)
    then = {} if before is None else _buckets(connection, before)
    found = [_failure(connection, night, each, _state(each, then)) for each in now.values()]
    if before is not None:
        passed = _passed_again(connection, night)
        gone = [each for signature, each in then.items() if signature not in now]
        found += [_failure(connection, before, each, _fate(each, passed)) for each in gone]
    order = list(State)
    return sorted(found, key=lambda each: (order.index(each.state), -len(each.jobs), str(each.signature)))


@dataclass(frozen=True)
class _Bucket:
    number: int
    signature: Signature
    explanation: str
    reproduce: str
    jobs: tuple[sqlite3.Row, ...]


def _buckets(connection: sqlite3.Connection, night: RecordedNight) -> dict[Signature, _Bucket]:
    found: dict[Signature, _Bucket] = {}
    for row in connection.execute("SELECT * FROM buckets WHERE night = ?", [night.number]).fetchall():
        signature = Signature(row["kind"], row["unit"], row["opcode"], row["role"])
        jobs = connection.execute(
            """
            SELECT jobs.* FROM bucket_jobs JOIN jobs ON jobs.night = ? AND jobs.name = bucket_jobs.job
            WHERE bucket = ? ORDER BY jobs.name
            """,
            [night.number, row["id"]],
        ).fetchall()
        found[signature] = _Bucket(
            row["id"], signature, row["explanation"], _here(row["reproduce"]), tuple(jobs)
        )
    return found


def _here(command: str) -> str:
    """Return a recorded command as it is called in this checkout. Raises HistoryError."""
    try:
        return same_here(command)
    except ValueError as error:
        raise HistoryError(f"the history is damaged: {error}; restore it") from error


def _state(bucket: _Bucket, then: dict[Signature, _Bucket]) -> State:
    if all(job["status"] == "flaky" for job in bucket.jobs):
        return State.FLAKY
    return State.KNOWN if bucket.signature in then else State.NEW


def _passed_again(connection: sqlite3.Connection, night: RecordedNight) -> dict[str, bool]:
    """Return, by what a job does, whether it passed in a night, wherever it ran there."""
    rows = connection.execute(
        "SELECT fingerprint, min(status = 'passed') AS passed FROM jobs WHERE night = ? GROUP BY fingerprint",
        [night.number],
    )
    return {row["fingerprint"]: bool(row["passed"]) for row in rows}


def _fate(bucket: _Bucket, passed: dict[str, bool]) -> State:
    again = [passed[job["fingerprint"]] for job in bucket.jobs if job["fingerprint"] in passed]
    return State.FIXED if again and all(again) else State.UNSEEN


def _failure(
    connection: sqlite3.Connection, last: RecordedNight, bucket: _Bucket, state: State
) -> RecordedFailure:
    without = _last_without(connection, last, bucket.signature)
    return RecordedFailure(
        bucket.signature,
        state,
        tuple(job["name"] for job in bucket.jobs),
        tuple(sorted({job["simulator"] for job in bucket.jobs})),
        bucket.explanation,
        bucket.reproduce,
        _first_after(connection, last, without),
        without,
        _first_seen(connection, bucket.signature),
    )


def _last_without(
    connection: sqlite3.Connection, last: RecordedNight, signature: Signature
) -> RecordedNight | None:
    row = connection.execute(
        """
        SELECT * FROM nights
        WHERE list = ? AND chip = ? AND whole AND (began, name) < (?, ?) AND NOT EXISTS (
            SELECT 1 FROM buckets
            WHERE night = nights.id AND (kind, unit, opcode, role) = (?, ?, ?, ?)
        )
        ORDER BY began DESC, name DESC LIMIT 1
        """,
        [last.list, last.chip, last.began, last.name, *vars(signature).values()],
    ).fetchone()
    return None if row is None else recorded(row)


def _first_after(
    connection: sqlite3.Connection, last: RecordedNight, without: RecordedNight | None
) -> RecordedNight:
    """Return the first whole night after the one that did not have it; `last` if there is none between."""
    after = ("", "") if without is None else (without.began, without.name)
    row = connection.execute(
        """
        SELECT * FROM nights
        WHERE list = ? AND chip = ? AND whole AND (began, name) > (?, ?) AND (began, name) < (?, ?)
        ORDER BY began, name LIMIT 1
        """,
        [last.list, last.chip, *after, last.began, last.name],
    ).fetchone()
    return last if row is None else recorded(row)


def _first_seen(connection: sqlite3.Connection, signature: Signature) -> RecordedNight:
    row = connection.execute(
        """
        SELECT nights.* FROM buckets JOIN nights ON nights.id = buckets.night
        WHERE (kind, unit, opcode, role) = (?, ?, ?, ?)
        ORDER BY began, name LIMIT 1
        """,
        list(vars(signature).values()),
    ).fetchone()
    return recorded(row)
