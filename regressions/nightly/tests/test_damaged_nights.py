"""Files of a night that somebody has edited, or that were cut off."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regressions.command_line import main
from regressions.exit_status import ExitStatus
from regressions.nightly import session
from regressions.nightly.attempt import RESULTS
from regressions.nightly.night import Night, NightError, open_night
from regressions.nightly.outcome import outcome_of
from regressions.nightly.result import JobResult, Status, write_result
from regressions.nightly.running import jobs_left
from regressions.nightly.tests.fakes import job
from regressions.nightly.tests.nights import begun, run, summary
from regressions.testplan.plan import load_plan

Document = dict[str, Any]


def in_job(key: str, value: object) -> Callable[[Document], object]:
    return lambda plan: plan["jobs"][1].update({key: value})


def at_the_top(key: str, value: object) -> Callable[[Document], object]:
    return lambda plan: plan.update({key: value})


EDITED = [
    (in_job("name", "../.."), "jobs.1.name: String should match pattern"),
    (in_job("name", "/etc/passwd"), "jobs.1.name: String should match pattern"),
    (in_job("name", "b-0/x"), "jobs.1.name: String should match pattern"),
    (in_job("name", ""), "jobs.1.name: String should match pattern"),
    (in_job("name", 3), "jobs.1.name: Input should be a valid string"),
    (in_job("name", "a-0"), "2 jobs would be called a-0"),
    (in_job("stimulus", ".."), "jobs.1.stimulus: String should match pattern"),
    (in_job("test", "directed.NoTest"), "b-0: there is no test 'directed.NoTest'"),
    (in_job("simulator", "ikarus"), "b-0: there is no simulator 'ikarus'"),
    (in_job("build", "fast"), "b-0: there is no build 'fast'"),
    (in_job("seed", 0), "jobs.1.seed: Input should be greater than or equal to 1"),
    (in_job("timeout", 1e9), "jobs.1.timeout: Input should be less than or equal to 86400"),
    (in_job("timeout", None), "jobs.1.timeout: Input should be a valid number"),
    (in_job("parameters", 3), "jobs.1.parameters: Input should be an object"),
    (in_job("more", 3), "jobs.1.more: Unexpected keyword argument"),
    (at_the_top("jobs", {}), "jobs: Input should be a valid array"),
    (at_the_top("jobs", [3]), "jobs.0: Input should be an object"),
    (at_the_top("base_seed", "5"), "base_seed: Input should be a valid integer"),
    (at_the_top("began", "yesterday"), "began: Invalid isoformat string"),
    (at_the_top("began", "2027-01-05T02:00:00"), "began: it is no time of a night, with its zone"),
    (at_the_top("began", "1027-01-05T02:00:00+01:00"), "began: it is no time of a night"),
    (at_the_top("began", 3), "began: Input should be a valid string"),
    (at_the_top("chip", []), "chip: Input should be an object"),
    (at_the_top("filtered", "no"), "filtered: Input should be a valid boolean"),
    (at_the_top("format", "ga2-night/2"), "format: Input should be 'ga2-night/1'"),
    (at_the_top("more", 3), "more: Unexpected keyword argument"),
    (lambda plan: plan.pop("commit"), "commit: Field required"),
]


@pytest.mark.parametrize(("edit", "message"), EDITED)
def test_a_plan_that_was_edited_is_told(
    tmp_path: Path, edit: Callable[[Document], object], message: str
) -> None:
    night = begun(tmp_path, [job("a-0"), job("b-0")])
    path = night.directory / "night.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    edit(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(NightError) as caught:
        open_night(night.directory)
    assert str(caught.value).startswith(f"{path} is damaged: {message}"), str(caught.value)
    assert str(caught.value).endswith("; begin another night")


@pytest.mark.parametrize("left", [0, 1, 100])
def test_a_plan_that_was_cut_off_is_one_message_of_the_command(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], left: int
) -> None:
    night = begun(tmp_path, [job("a-0")])
    path = night.directory / "night.json"
    path.write_bytes(path.read_bytes()[:left])
    before = sorted(night.directory.rglob("*"))
    assert main(["nightly", "--resume", str(night.directory)]) == 2
    captured = capfd.readouterr()
    assert captured.err.startswith(f"error: {path} is damaged: Invalid JSON: EOF while parsing")
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert sorted(night.directory.rglob("*")) == before


def finished(tmp_path: Path) -> Night:
    night = begun(tmp_path, [job("a-0"), job("b-0")])
    assert run(night, tmp_path) is ExitStatus.GOOD
    return night


def edited(key: str, value: object) -> Callable[[bytes], bytes]:
    return lambda content: json.dumps({**json.loads(content), key: value}).encode()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda content: content[:50], " is damaged: Invalid JSON: EOF while parsing"),
        (lambda content: b"\xff" + content, " is damaged: is not UTF-8"),
        (lambda _: b"[]", " is damaged: Input should be an object"),
        (edited("status", "good"), " is damaged: status: Input should be 'passed'"),
        (edited("programs", "1"), " is damaged: programs: Input should be a valid integer"),
        (edited("version", 2), " is damaged: version: Unexpected keyword argument"),
        (lambda content: content.replace(b'"seed": 1', b'"seed": 2'), " is of another job of that name"),
    ],
)
def test_a_damaged_result_is_told_and_its_job_runs_again(
    tmp_path: Path, damage: Callable[[bytes], bytes], message: str
) -> None:
    night = finished(tmp_path)
    path = night.directory / RESULTS / "a-0.json"
    path.write_bytes(damage(path.read_bytes()))
    missing, damaged = outcome_of(night, load_plan()).problems()
    assert missing == "1 without a result, a-0 first; --resume runs them"
    assert damaged.startswith(f"1 damaged results, {path}{message}"), damaged
    assert [each.name for each in jobs_left(night)] == ["a-0"]
    assert run(night, tmp_path) is ExitStatus.GOOD
    assert summary(night)["problems"] == []


def test_going_on_with_a_damaged_result_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(session, "build_for", lambda *_: None)
    monkeypatch.setattr(session, "run_session", lambda *_, **__: ExitStatus.GOOD)
    monkeypatch.setenv("COLUMNS", "300")
    night = finished(tmp_path)
    path = night.directory / RESULTS / "a-0.json"
    path.write_text("{", encoding="utf-8")
    command = ["nightly", "--resume", str(night.directory), "--history", str(tmp_path / "h.sqlite")]
    assert main([*command, "--failed-seeds", str(tmp_path / "failed.json")]) == 0
    first, report = capsys.readouterr().out.splitlines()
    assert first.startswith(f"warning: {path} is damaged: Invalid JSON: EOF while parsing an object")
    assert first.endswith("; its job runs again")
    assert report.startswith("report: it could not be written: ")  # nothing has run here


def test_what_stands_in_the_place_of_a_result_is_told(tmp_path: Path) -> None:
    night = finished(tmp_path)
    path = night.directory / RESULTS / "a-0.json"
    path.unlink()
    assert night.damage(night.plan.jobs[0]) == "", "there is none"
    path.mkdir()
    assert (
        night.damage(night.plan.jobs[0])
        == f"{path} is damaged: is a directory, not a regular file; give a file"
    )


def test_whole_results_are_not_damaged(tmp_path: Path) -> None:
    night = finished(tmp_path)
    assert [night.damage(each) for each in night.plan.jobs] == ["", ""]
    killed = JobResult(night.plan.jobs[0], Status.KILLED)
    write_result(night.directory / RESULTS, replace(killed, reason="by somebody"))
    assert night.damage(night.plan.jobs[0]) == ""
