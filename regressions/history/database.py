"""The file that keeps the history: opened, brought up to date, and used in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from math import isfinite
from pathlib import Path
from types import NoneType

from refmodel.errors import Ga2Error
from refmodel.printable import printable
from verif.simulation.plain_path import REPOSITORY

HISTORY = REPOSITORY / "history.sqlite"
"""Where it is unless the user says otherwise: in the checkout, but not in git, and not below out/."""

HISTORY_VARIABLE = "GA2_HISTORY"
"""Environment variable that names another file."""

PATIENCE_SECONDS = 60.0
"""For which a night waits for another one that is writing."""

APPLICATION_ID = 0x47413248
"""In the file's header: what tells a history from other SQLite databases ("GA2H")."""

_CIRCUMSTANCES = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
)
"""Errors that are not the file's own."""

_LONGEST_VALUE = 1_000_000
"""Bytes of a text in the file: a row of a stranger's history cannot fill the memory."""

_TEXT = (
    "name", "list", "began", "revision", "chip", "problems", "entry", "test", "simulator", "build",
    "fingerprint", "status", "machine", "kind", "unit", "opcode", "role", "first_job", "explanation",
    "shrunk", "reproduce",
)  # fmt: skip
_COUNTS = ("id", "whole", "good", "programs", "comparisons", "cycles", "standing", "cells")
_KINDS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(_TEXT, str),
    **dict.fromkeys(_COUNTS, int),
    "reason": (str, NoneType),  # of accepted cycles, which most nights have not
    **dict.fromkeys(("seconds", "simulation_cpu", "pace"), (int, float)),
    **dict.fromkeys(("seed", "bins_hit", "bins"), (int, NoneType)),
}
"""By column, whatever the table: what its values are. SQLite lets anything stand in any column."""

_MIGRATIONS = Path(__file__).parent / "migrations"


class HistoryError(Ga2Error):
    """The history cannot be read or written, or has no answer."""


@contextmanager
def opened(path: Path, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a history for one transaction, which is kept if the body ends and undone if it raises.

    An older one is brought up to date. With `create` it is made where there is none, and is locked for
    writing. Raises HistoryError, for whatever SQLite says too.
    """
    if path.exists() and not path.is_file():
        raise HistoryError(f"{path}: is not a regular file; name another one")
    if not create and not path.exists():
        raise HistoryError(
            f"{path}: there is no history; nights add themselves as they end, `history import` adds others"
        )
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE_SECONDS, isolation_level=None)) as connection:
            connection.row_factory = _checked_row
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA foreign_keys = ON")
            bring_up_to_date(connection, path)
            connection.execute("BEGIN IMMEDIATE" if create else "BEGIN")
            yield connection
            connection.execute("COMMIT")
    except (sqlite3.Error, UnicodeDecodeError) as error:  # closing has undone what was begun
        raise HistoryError(f"{path}: {_told(error)}") from error


def prepare_history(path: Path) -> None:
    """Make a history, or bring it up to date, before a night that is to be put there. Raises HistoryError."""
    with opened(path, create=True):
        pass


def migrations() -> list[str]:
    """Return the scripts that lead from an empty file to the present schema, one version each."""
    return [path.read_text(encoding="utf-8") for path in sorted(_MIGRATIONS.glob("*.sql"))]


def bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """Apply the migrations that a history lacks, all or none. Raises HistoryError if it is none of ours."""
    scripts = migrations()
    connection.execute(
        "BEGIN"
    )  # what is read of the version is of one moment: another may be making the file
    version = _version(connection, path, len(scripts))
    connection.execute("COMMIT")
    if version == len(scripts):
        return
    connection.execute("BEGIN IMMEDIATE")
    for number in range(_version(connection, path, len(scripts)), len(scripts)):  # others may have been here
        for statement in _statements(scripts[number]):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(scripts)}")
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection, path: Path, newest: int) -> int:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    odd = connection.execute("SELECT type FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone()
    if application != APPLICATION_ID and (application or version or tables):
        raise HistoryError(f"{path}: is a database, but no history of nights; name another file")
    if odd is not None:
        raise sqlite3.DatabaseError(f"it has a {odd[0]}, which no history has")
    if version > newest:
        raise HistoryError(
            f"{path}: has schema {version}, and this version of the project knows {newest} at most; "
            "use the later version that wrote it, or another file"
        )
    return int(version)


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script, in which each ends a line."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _checked_row(cursor: sqlite3.Cursor, values: tuple[object, ...]) -> sqlite3.Row:
    """Return a row whose values are what their columns hold; else sqlite3.DatabaseError: it is damaged."""
    for (name, *_), value in zip(cursor.description, values, strict=True):
        is_finite = not isinstance(value, float) or isfinite(value)
        if not isinstance(value, _KINDS.get(name, object)) or not is_finite:
            raise sqlite3.DatabaseError(f"malformed {name} {printable(repr(value), 60)}")
    return sqlite3.Row(cursor, values)


def checked_time(began: str) -> str:
    """Return a time of the history if it is one; else sqlite3.DatabaseError: the file is damaged."""
    try:
        datetime.fromisoformat(began)
    except (TypeError, ValueError) as error:
        raise sqlite3.DatabaseError(f"malformed time {printable(repr(began), 60)}") from error
    return began


def _told(error: sqlite3.Error | UnicodeDecodeError) -> str:
    """Return what is wrong, and what to do, in a sentence."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF  # without the detail
    if code == sqlite3.SQLITE_BUSY:
        return f"another process has been writing for {PATIENCE_SECONDS:.0f} s; try again when it is done"
    if code in _CIRCUMSTANCES:
        return str(error)
    return f"is damaged ({error}); restore it, or move it away and `history import` the nights again"
