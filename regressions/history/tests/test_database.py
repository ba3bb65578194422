"""The database file: every older version, later ones, others' files and damaged ones."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from regressions.history import database
from regressions.history.database import HistoryError, migrations, opened
from regressions.history.failures import failures_of
from regressions.history.nights import find_night, latest_nights
from regressions.history.recording import record_nights
from regressions.history.tests.conftest import MakeHistory
from regressions.history.tests.made_up import made_job, made_night, write_night

VERSIONS = Path(__file__).parent / "versions"
"""For every older version, N.sql makes a history as it was then."""

NEWEST = len(migrations())


def of_version(path: Path, version: int) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((VERSIONS / f"{version}.sql").read_text(encoding="utf-8"))
    return path


def schema(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return all statements that make tables and indexes, without their comments."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    lines = {row["name"]: row["sql"].splitlines() for row in rows}
    return {(name, " ".join(line.partition("--")[0].strip() for line in sql)) for name, sql in lines.items()}


@pytest.mark.parametrize("version", range(NEWEST))
def test_every_older_version_becomes_the_newest(version: int, tmp_path: Path) -> None:
    with opened(tmp_path / "fresh.sqlite", create=True) as fresh:
        wanted = schema(fresh)
    assert len(wanted) > 10
    with opened(of_version(tmp_path / "old.sqlite", version)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == NEWEST
        assert connection.execute("PRAGMA application_id").fetchone()[0] == database.APPLICATION_ID
        assert schema(connection) == wanted


def test_what_version_1_knew_is_still_there(tmp_path: Path) -> None:
    with opened(of_version(tmp_path / "old.sqlite", 1)) as connection:
        assert [night.name for night in latest_nights(connection, "nightly", 9)] == ["n1", "n2"]
        (failure,) = failures_of(connection, find_night(connection, "n2"))
        assert (failure.state, failure.signature.role, failure.since.name) == ("new", "q", "n2")
        throughput = connection.execute("SELECT * FROM throughput ORDER BY simulator").fetchall()
        assert [tuple(row) for row in throughput] == [
            (1, "icarus", "optimized", "here", "x", 10, 4000, 2.0),
            (1, "verilator", "coverage", "here", "v", 6, 500, 0.25),
        ]
    place = write_night(tmp_path, made_night("n3", 3, [made_job("x-0", fingerprint="f0")]))
    assert record_nights(tmp_path / "old.sqlite", [place]) == 1
    with opened(tmp_path / "old.sqlite") as connection:
        (failure,) = failures_of(connection, find_night(connection, "n3"))
        assert failure.state == "fixed"


@pytest.mark.parametrize("version", range(NEWEST))
def test_a_migration_that_fails_is_undone(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = of_version(tmp_path / "old.sqlite", version)
    before = history.read_bytes()
    monkeypatch.setattr(database, "migrations", lambda: [*migrations(), "CREATE TABLE wrong (;\n"])
    with pytest.raises(HistoryError, match="syntax error"), opened(history, create=True):
        pytest.fail("it is not opened")
    monkeypatch.undo()
    assert history.read_bytes() == before
    with opened(history, create=True) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == NEWEST


def test_a_later_version_is_refused_and_left_alone(history_of: MakeHistory) -> None:
    history = history_of(made_night("a", 1, []))
    with closing(sqlite3.connect(history)) as connection:
        connection.execute(f"PRAGMA user_version = {NEWEST + 1}")
    before = history.read_bytes()
    for create in (False, True):
        with (
            pytest.raises(HistoryError, match=rf"has schema {NEWEST + 1}, .* knows {NEWEST} at most; use"),
            opened(history, create=create),
        ):
            pytest.fail("it is not opened")
    assert history.read_bytes() == before


@pytest.mark.parametrize(
    "script", ["CREATE TABLE songs (name)", "PRAGMA user_version = 1", "PRAGMA application_id = 7"]
)
def test_the_database_of_something_else_is_refused(script: str, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute(script)
    before = other.read_bytes()
    with pytest.raises(HistoryError, match="is a database, but no history"), opened(other, create=True):
        pytest.fail("it is not opened")
    assert other.read_bytes() == before


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("these are no tables, " * 50)
    with (
        pytest.raises(HistoryError, match=r"is damaged \(file is not a database\)"),
        opened(tmp_path / "text"),
    ):
        pytest.fail("it is not opened")


@pytest.mark.parametrize("damage", ["cut off", "overwritten"])
def test_a_damaged_history_is_refused(damage: str, history_of: MakeHistory, tmp_path: Path) -> None:
    jobs = [made_job(f"x-{number}") for number in range(200)]
    history = history_of(*(made_night(f"n{day}", day, jobs) for day in range(1, 6)))
    whole = history.read_bytes()
    third = len(whole) // 3
    rest = b"" if damage == "cut off" else b"\xff" * (len(whole) - third)
    history.write_bytes(whole[:third] + rest)
    before = history.read_bytes()
    place = write_night(tmp_path, made_night("n6", 6, jobs))
    with pytest.raises(HistoryError, match=r"history\.sqlite: is damaged \(.*malformed\); restore it, or"):
        record_nights(history, [place])
    assert history.read_bytes() == before


def test_an_error_in_the_body_undoes_everything(history_of: MakeHistory) -> None:
    history = history_of(made_night("a", 1, []))

    def fail() -> None:
        with opened(history, create=True) as connection:
            connection.execute("DELETE FROM nights")
            raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        fail()
    with opened(history) as connection:
        assert connection.execute("SELECT count(*) FROM nights").fetchone()[0] == 1


def test_a_place_where_nothing_can_be_made(tmp_path: Path) -> None:
    with (
        pytest.raises(HistoryError, match="unable to open database file"),
        opened(tmp_path / "none" / "h.sqlite", create=True),
    ):
        pytest.fail("it is not opened")
    with pytest.raises(HistoryError, match="there is no history; nights add"), opened(tmp_path / "h.sqlite"):
        pytest.fail("it is not opened")
    assert not (tmp_path / "h.sqlite").exists()
