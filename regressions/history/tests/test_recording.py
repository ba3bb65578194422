"""Nights go into the history whole, once, and all or none."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from regressions.history import database
from regressions.history.database import HistoryError, opened
from regressions.history.recording import accept_cycles, record_nights
from regressions.history.tests.conftest import MakeHistory
from regressions.history.tests.made_up import made_job, made_night, write_night
from verif.simulation.plain_path import REPOSITORY

NIGHT = made_night("a", 1, [made_job("x-0"), made_job("y-0", "failed", bucket=("data", "q"))])


def dump(history: Path) -> list[str]:
    with opened(history) as connection:
        return list(connection.iterdump())


def test_everything_is_there(history_of: MakeHistory) -> None:
    with opened(history_of(NIGHT)) as connection:
        (night,) = connection.execute("SELECT * FROM nights").fetchall()
        assert night["began"] == "2027-01-01T01:00:00+00:00"
        assert (night["base_seed"], night["whole"], night["good"], night["bins_hit"]) == (77, 1, 0, 900)
        assert json.loads(night["problems"]) == ["1 failed"]
        versions = connection.execute("SELECT tool, version FROM versions ORDER BY tool").fetchall()
        assert [tuple(row) for row in versions] == [("icarus", "11.0"), ("verilator", "5.48.0")]
        jobs = connection.execute("SELECT name, status, seed, cycles, seconds FROM jobs").fetchall()
        assert [tuple(row) for row in jobs] == [
            ("x-0", "passed", 1, 1000, 2.0),
            ("y-0", "failed", 1, 1000, 2.0),
        ]
        bucket = connection.execute("SELECT kind, role, job FROM buckets JOIN bucket_jobs ON bucket = id")
        assert [tuple(row) for row in bucket.fetchall()] == [("data", "q", "y-0")]


def test_a_night_that_is_there_already_changes_nothing(history_of: MakeHistory, tmp_path: Path) -> None:
    history = history_of(NIGHT)
    before = dump(history)
    assert record_nights(history, [tmp_path / "nights" / "a"]) == 0
    assert dump(history) == before


def test_a_night_that_was_resumed_takes_the_place_of_what_it_was(history_of: MakeHistory) -> None:
    resumed = made_night("a", 1, [made_job("x-0"), made_job("y-0"), made_job("z-0")])
    history = history_of(NIGHT, made_night("b", 2, []))
    accept_cycles(history, "a", "right")
    history_of(resumed)
    with opened(history) as connection:
        assert connection.execute("SELECT count(*), sum(good) FROM nights").fetchone()[:] == (2, 2)
        assert connection.execute("SELECT count(*) FROM jobs").fetchone()[0] == 3
        assert connection.execute("SELECT count(*) FROM buckets").fetchone()[0] == 0
        assert connection.execute("SELECT count(*) FROM bucket_jobs").fetchone()[0] == 0
        accepted = connection.execute("SELECT reason FROM accepted_cycles").fetchone()
        assert accepted[0] == "right", "what somebody decided stays"


def test_a_job_without_a_result_is_none(history_of: MakeHistory) -> None:
    with opened(history_of(made_night("a", 1, [made_job("x-0", None)], missing=["x-0"]))) as connection:
        assert connection.execute("SELECT count(*) FROM jobs").fetchone()[0] == 0
        assert connection.execute("SELECT whole FROM nights").fetchone()[0] == 0


DAMAGED: list[tuple[dict[str, Any], str]] = [
    ({"format": "ga2-night-summary/9"}, "format: Input should be 'ga2-night-summary/1'"),
    ({"jobs": None}, "jobs: Input should be a valid array"),
    ({"began": "2027-01-01T00:00:00"}, "began: Input should have timezone info"),
    ({"programs": "many"}, "programs: Input should be a valid integer"),
    ({"base_seed": 2**63}, "base_seed: Input should be less than 9223372036854775808"),
    ({"began": "0001-01-01T00:00:00+02:00"}, "it began in the year 1"),
    ({"cost": {"seconds": float("nan")}}, "cost.seconds: Input should be a finite number"),
    ({"buckets": NIGHT["buckets"] * 2}, "two buckets have one signature"),
    ({"jobs": [made_job("x-0"), made_job("x-0")]}, "two jobs have one name"),
    ({"jobs": [made_job("x-0")]}, "y-0 failed, but is none of its jobs"),
]


@pytest.mark.parametrize(("change", "message"), DAMAGED)
def test_a_damaged_summary_is_one_message_and_nothing_is_recorded(
    change: dict[str, Any], message: str, history_of: MakeHistory, tmp_path: Path
) -> None:
    history = history_of(made_night("b", 2, []))
    before = dump(history)
    good = write_night(tmp_path / "nights", made_night("c", 3, []))
    damaged = write_night(tmp_path / "nights", NIGHT | change)
    with pytest.raises(HistoryError) as caught:
        record_nights(history, [good, damaged])
    assert str(caught.value) == (
        f"{damaged / 'summary.json'}: is not a whole summary of format ga2-night-summary/1: {message}"
    )
    assert dump(history) == before
    with pytest.raises(HistoryError):
        record_nights(tmp_path / "new.sqlite", [good, damaged])
    assert not (tmp_path / "new.sqlite").exists()


def test_a_summary_that_is_cut_off_or_not_there(tmp_path: Path) -> None:
    path = write_night(tmp_path, NIGHT) / "summary.json"
    path.write_text(path.read_text(encoding="utf-8")[:500], encoding="utf-8")
    with pytest.raises(HistoryError, match=r"summary\.json: is not a whole summary .*: Invalid JSON: EOF"):
        record_nights(tmp_path / "h.sqlite", [path])
    with pytest.raises(
        HistoryError, match=r"none: cannot be read: No such file or directory; name a night's directory"
    ):
        record_nights(tmp_path / "h.sqlite", [tmp_path / "none"])


def test_nights_that_end_at_once_are_all_there(tmp_path: Path) -> None:
    """Four processes make the same new history."""
    history = tmp_path / "history.sqlite"
    places = [write_night(tmp_path, made_night(f"n{day}", day, [made_job("x-0")])) for day in range(1, 5)]
    command = [sys.executable, "-m", "regressions", "history", "import", "--history", str(history)]
    running = [subprocess.Popen([*command, str(place)], cwd=REPOSITORY) for place in places]
    assert [each.wait(timeout=600) for each in running] == [0, 0, 0, 0]
    with opened(history) as connection:
        names = [row["name"] for row in connection.execute("SELECT name FROM nights ORDER BY name")]
    assert names == ["n1", "n2", "n3", "n4"]


def test_who_comes_second_waits(history_of: MakeHistory, tmp_path: Path) -> None:
    history = history_of(NIGHT)
    place = write_night(tmp_path, made_night("b", 2, []))
    second = threading.Thread(target=record_nights, args=(history, [place]))
    with opened(history, create=True) as connection:
        second.start()
        second.join(0.2)
        assert second.is_alive()
        assert connection.execute("SELECT count(*) FROM nights").fetchone()[0] == 1
    second.join(60)
    assert not second.is_alive()
    with opened(history) as connection:
        assert connection.execute("SELECT count(*) FROM nights").fetchone()[0] == 2


def test_who_waits_too_long_says_so(
    history_of: MakeHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = history_of(NIGHT)
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.01)
    with (
        opened(history, create=True),
        pytest.raises(HistoryError, match="another process has been writing for 0 s; try again when it"),
    ):
        record_nights(history, [tmp_path / "nights" / "a"])


def test_only_a_night_that_is_there_can_be_accepted_and_with_a_reason(history_of: MakeHistory) -> None:
    history = history_of(made_night("nightly-20270101T020000-abcd", 1, []))
    with pytest.raises(
        HistoryError, match="there is no night 'nightly-20270101T020000-abce' in the history; did"
    ):
        accept_cycles(history, "nightly-20270101T020000-abce", "why")
    with pytest.raises(HistoryError, match="--reason: say why"):
        accept_cycles(history, "nightly-20270101T020000-abcd", " ")
