"""No question reads a whole table: thousands of nights answer as fast as ten."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from regressions.history.database import opened
from regressions.history.expectations import held_against_history
from regressions.history.failures import failures_of
from regressions.history.job_history import runs_of
from regressions.history.nights import find_night, latest_nights, nights_up_to, statuses
from regressions.history.tests.conftest import MakeHistory
from regressions.history.tests.made_up import made_job, made_night
from regressions.history.tests.test_expectations import night_of, passed, standing
from regressions.history.trends import cycle_changes, standing_cycles, trend
from regressions.nightly.tests.fakes import job

Question = Callable[[sqlite3.Connection], object]

QUESTIONS: dict[str, tuple[Question, list[str]]] = {
    "nights": (lambda connection: latest_nights(connection, None, 20), ["nights_by_time"]),
    "nights of a list": (lambda connection: latest_nights(connection, "nightly", 20), ["nights_in_order"]),
    "statuses": (lambda connection: statuses(connection, find_night(connection, "b")), []),
    "failures": (
        lambda connection: failures_of(connection, find_night(connection, "b")),
        ["nights_in_order", "buckets_by_signature"],
    ),
    "trends": (
        lambda connection: trend(connection, latest_nights(connection, None, 20)),
        ["nights_by_time"],
    ),
    "nights up to one": (
        lambda connection: nights_up_to(connection, find_night(connection, "b"), 20),
        ["nights_in_order"],
    ),
    "cycles of standing workloads": (
        lambda connection: standing_cycles(connection, latest_nights(connection, None, 20)),
        ["standing_jobs_of_nights"],
    ),
    "cycles": (
        lambda connection: cycle_changes(connection, latest_nights(connection, None, 20)),
        ["standing_jobs_of_nights"],
    ),
    "a job": (lambda connection: runs_of(connection, "x-0"), ["jobs_by_name"]),
}
"""Questions, and indexes that each must use."""


def steps_of(connection: sqlite3.Connection, asked: list[str]) -> list[str]:
    """Return what SQLite would do for these statements, a line each."""
    steps = [
        str(step["detail"])
        for statement in asked
        for step in connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
    ]
    assert steps, "nothing was asked"
    return steps


def whole_tables(steps: list[str]) -> list[str]:
    """Return what would be read from its beginning to its end."""
    return [step for step in steps if step.startswith("SCAN") and " USING " not in step]


def indexes_in(steps: list[str]) -> set[str]:
    return {step.partition("INDEX ")[2].partition(" ")[0] for step in steps}


@pytest.fixture
def history(history_of: MakeHistory) -> Path:
    jobs = [made_job("x-0", "failed", bucket=("data", "q")), made_job("y-0", "failed", bucket=("data", "k"))]
    return history_of(made_night("a", 1, jobs), made_night("b", 2, jobs[:1]))


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_uses_indexes(name: str, history: Path) -> None:
    with opened(history) as connection:
        asked: list[str] = []
        connection.set_trace_callback(asked.append)
        question, indexes = QUESTIONS[name]
        question(connection)
        connection.set_trace_callback(None)
        steps = steps_of(connection, asked)
    assert whole_tables(steps) == []
    assert set(indexes) <= indexes_in(steps)


def test_so_does_holding_a_night_against_the_others(
    history_of: MakeHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = history_of(made_night("a", 1, [standing(5), made_job("x-0")]))
    asked: list[str] = []
    connect = sqlite3.connect

    def traced(*arguments: object, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)  # type: ignore[call-overload]
        connection.set_trace_callback(asked.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", traced)
    standing_job = job("t-0", tags=("standing",))
    held_against_history(history, night_of(tmp_path, passed(standing_job, 5), passed(job("x-0"), 5)))
    monkeypatch.undo()
    questions = [each for each in asked if "FROM jobs" in each or "FROM throughput" in each]
    assert len(questions) == 3  # cycles of one job, pace of two entries
    with opened(history) as connection:
        steps = steps_of(connection, questions)
    assert whole_tables(steps) == []
    assert {"standing_jobs", "throughput_by_entry"} <= indexes_in(steps)


def test_a_question_without_an_index_would_be_seen(history: Path) -> None:
    with opened(history) as connection:
        steps = steps_of(connection, ["SELECT * FROM jobs WHERE seed = 3"])
    assert whole_tables(steps) == ["SCAN jobs"]
