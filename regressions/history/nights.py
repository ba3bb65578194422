"""The nights that there are."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import FailFast, TypeAdapter, ValidationError

from regressions.history.database import HistoryError, checked_time
from sequences.document import first_problem
from sequences.near_names import did_you_mean

_PROBLEMS = TypeAdapter(Annotated[tuple[str, ...], FailFast()])
_CHIP = TypeAdapter(dict[str, str])


@dataclass(frozen=True)
class RecordedNight:
    """A night as the history has it."""

    number: int
    name: str
    list: str
    began: str
    """UTC, ISO 8601."""
    revision: str
    """The commit."""
    chip: str
    """As `chip_text` tells the RTL."""
    whole: bool
    """Has every job of its list a result? Others are compared with nothing."""
    good: bool
    problems: tuple[str, ...]
    bins_hit: int | None
    bins: int | None
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        told = {name: value for name, value in vars(self).items() if name != "number"}
        return {**told, "chip": json.loads(self.chip)}

    @property
    def own_rtl(self) -> str:
        """The variables that chose other RTL than the project's, as one sets them; nothing if none did."""
        return " ".join(f"{name}={value}" for name, value in json.loads(self.chip).items())

    @property
    def coverage(self) -> float | None:
        """Percentage of bins that it hit."""
        return 100 * (self.bins_hit or 0) / self.bins if self.bins else None


def chip_text(chip: Mapping[str, str]) -> str:
    """Return how the history keeps the variables that chose the RTL: text that is the same for the same."""
    return json.dumps(dict(chip), sort_keys=True)


def short_commit(revision: str) -> str:
    """Return the first digits of a commit, and whether something had been changed."""
    commit, dash, dirty = revision.partition("-")
    return commit[:8] + dash + dirty


def latest_nights(connection: sqlite3.Connection, list_name: str | None, last: int) -> list[RecordedNight]:
    """Return the last nights, of one list or of all, the newest last. Raises HistoryError without any."""
    condition, values = ("", []) if list_name is None else ("WHERE list = ?", [list_name])
    rows = connection.execute(
        f"SELECT * FROM nights {condition} ORDER BY began DESC, name DESC LIMIT ?", [*values, last]
    ).fetchall()
    if not rows:
        raise HistoryError(_no_night(connection, list_name))
    return [recorded(row) for row in reversed(rows)]


def find_night(connection: sqlite3.Connection, name: str) -> RecordedNight:
    """Return the night of that name. Raises HistoryError, with the nearest name, if there is none."""
    row = connection.execute("SELECT * FROM nights WHERE name = ?", [name]).fetchone()
    if row is None:
        names = [each["name"] for each in connection.execute("SELECT name FROM nights")]
        raise HistoryError(f"there is no night {name!r} in the history{did_you_mean(name, names)}")
    return recorded(row)


def night_before(connection: sqlite3.Connection, night: RecordedNight) -> RecordedNight | None:
    """Return the last whole night of the same list and RTL before this one, None if it is the first."""
    row = connection.execute(
        """
        SELECT * FROM nights WHERE list = ? AND chip = ? AND whole AND (began, name) < (?, ?)
        ORDER BY began DESC, name DESC LIMIT 1
        """,
        [night.list, night.chip, night.began, night.name],
    ).fetchone()
    return None if row is None else recorded(row)


def nights_up_to(connection: sqlite3.Connection, night: RecordedNight, last: int) -> list[RecordedNight]:
    """Return the last nights of the same list and RTL up to this one, which is the last of them."""
    rows = connection.execute(
        """
        SELECT * FROM nights WHERE list = ? AND chip = ? AND (began, name) <= (?, ?)
        ORDER BY began DESC, name DESC LIMIT ?
        """,
        [night.list, night.chip, night.began, night.name, last],
    ).fetchall()
    return [recorded(row) for row in reversed(rows)]


def statuses(connection: sqlite3.Connection, night: RecordedNight) -> dict[str, int]:
    """Return how many of its jobs ended in which way."""
    rows = connection.execute(
        "SELECT status, count(*) AS jobs FROM jobs WHERE night = ? GROUP BY status", [night.number]
    )
    return {row["status"]: row["jobs"] for row in rows}


def recorded(row: sqlite3.Row) -> RecordedNight:
    """Return a row of table `nights` as an object. Raises sqlite3.DatabaseError if it is damaged."""
    try:
        problems = _PROBLEMS.validate_json(row["problems"])
        _CHIP.validate_json(row["chip"])
    except IndexError as error:
        raise sqlite3.DatabaseError(f"malformed night: {error}") from error
    except ValidationError as error:
        raise sqlite3.DatabaseError(f"malformed night: {first_problem(error)}") from error
    return RecordedNight(
        row["id"],
        row["name"],
        row["list"],
        checked_time(row["began"]),
        row["revision"],
        row["chip"],
        bool(row["whole"]),
        bool(row["good"]),
        problems,
        row["bins_hit"],
        row["bins"],
        row["seconds"],
    )


def _no_night(connection: sqlite3.Connection, list_name: str | None) -> str:
    lists = [row["list"] for row in connection.execute("SELECT DISTINCT list FROM nights ORDER BY list")]
    if list_name is None or not lists:
        return "the history has no night yet"
    return f"the history has no night of list {list_name!r}; there are nights of {', '.join(lists)}"
