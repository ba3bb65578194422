"""`report` from the command line, and what a night does whose report cannot be written."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from regressions.exit_status import ExitStatus
from regressions.history.database import opened
from regressions.history.tests.made_up import made_night, write_night
from regressions.nightly import session
from regressions.nightly.night import NIGHTS
from regressions.report import writing
from regressions.report.tests.made_site import made_workloads, recorded_night
from regressions.tests.conftest import CommandLine


@pytest.mark.parametrize("arguments", [[], ["--out", "OUT"]])
def test_a_report_is_written_and_its_place_told(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setattr(writing, "workloads", made_workloads)
    night, out = recorded_night(tmp_path), tmp_path / "out"
    options = [out if each == "OUT" else each for each in arguments]
    outcome = command_line("report", night, "--history", tmp_path / "history.sqlite", *options)
    page = (out if arguments else night / "report") / "index.html"
    assert (outcome.status, outcome.output, outcome.error) == (0, f"report: {page}\n", "")
    assert "NOT good" in page.read_text(encoding="utf-8")


def test_a_night_of_which_nothing_ran_has_a_report_all_the_same(
    tmp_path: Path, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "workloads", made_workloads)
    night = write_night(tmp_path, made_night("empty", 1, [], problems=["nothing was compared"], good=False))
    outcome = command_line("report", night, "--history", tmp_path / "none.sqlite")
    assert outcome.status == 0
    assert outcome.output == f"report: {night}/report/index.html\n"
    assert "nothing was compared" in (night / "report/index.html").read_text(encoding="utf-8")


def test_bad_input_is_one_line_and_leaves_nothing(command_line: CommandLine, tmp_path: Path) -> None:
    night = recorded_night(tmp_path)
    later = tmp_path / "later.sqlite"
    with opened(later, create=True) as connection:
        connection.execute("PRAGMA user_version = 99")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/chapter").touch()
    good = ["--history", tmp_path / "history.sqlite"]
    before = sorted(tmp_path.rglob("*"))
    for arguments, message in (
        (["nightly-20270103", *good], "there is no night 'nightly-20270103'"),
        ([night, "--list", "smoke", *good], "--list chooses the last night of a list"),
        ([night, "--history", later], "has schema 99, and this version of the project knows"),
        ([night, "--history", night / "summary.json"], "is damaged (file is not a database)"),
        ([night, "--out", tmp_path / "thesis", *good], "holds something else than a report"),
        ([night, "--out", tmp_path / "a/b", *good], "there is no directory"),
        ([night, "--out", "/proc/site", *good], "/proc/site: cannot be written"),
    ):
        outcome = command_line("report", *arguments)
        assert outcome.status == 2, message
        assert message in outcome.error
        assert outcome.error.count("\n") == 1
        assert sorted(tmp_path.rglob("*")) == before
    assert json.loads((night / "summary.json").read_text())["night"] == night.name


@pytest.mark.parametrize("error", [ValueError("a mistake"), OSError(28, "No space left on device")])
def test_a_night_whose_report_cannot_be_written_keeps_its_verdict(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    path = tmp_path / f"unreported{os.getpid()}.toml"
    path.write_text(
        'description = "x"\n[[test]]\nname = "quick"\ntest = "directed.DirectedTest"\ntimeout = 9\n'
        "parameters = { seed = 1 }\n",
        encoding="utf-8",
    )

    def fail(*_: object) -> Path:
        raise error

    monkeypatch.setattr(session, "build_for", lambda *_: None)
    monkeypatch.setattr(session, "run_session", lambda *_: ExitStatus.MISMATCH)
    monkeypatch.setattr(writing, "write_report", fail)
    outcome = command_line("nightly", path, "--history", tmp_path / "history.sqlite")
    for directory in NIGHTS.glob(f"{path.stem}-*"):
        shutil.rmtree(directory)
    assert outcome.status == 1, "the night's own"
    assert "report: it could not be written: " in outcome.output
    assert str(error) in outcome.output
    assert outcome.error == ""
