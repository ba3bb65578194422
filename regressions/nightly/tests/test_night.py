"""What a night concludes, and what it leaves."""

from __future__ import annotations

import shutil
import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from junitparser import JUnitXml
from rich.console import Console

from refmodel.errors import Ga2Error
from regressions.exit_status import ExitStatus
from regressions.history.database import HistoryError, opened
from regressions.history.nights import latest_nights
from regressions.nightly import session
from regressions.nightly.failed_seeds import failed_before
from regressions.nightly.job import NightJob
from regressions.nightly.night import (
    NightError,
    begin_night,
    plan_now,
)
from regressions.nightly.result import JobResult, Status
from regressions.nightly.tests.fakes import InlineEngine, job, simulate
from regressions.nightly.tests.nights import JOBS, begun, run, shown, summary
from regressions.terminal import Terminal
from verif.coverage.errors import CoverageError


def test_every_job_is_told_with_its_status(tmp_path: Path) -> None:
    night = begun(tmp_path, JOBS)
    assert run(night, tmp_path) is ExitStatus.MISMATCH
    document = summary(night)
    assert document["statuses"] == {
        "passed": 4,
        "failed": 3,
        "timeout": 1,
        "crashed": 1,
        "flaky": 0,
        "killed": 0,
        "skipped": 1,
    }
    assert document["problems"] == [
        "3 failed",
        "1 timeout",
        "1 crashed",
        "depending on initial states: 1 stimuli",
    ]
    assert [each["name"] for each in document["jobs"]] == [each.name for each in JOBS]
    assert (document["base_seed"], document["list"], document["missing"]) == (77, "smoke", [])
    cases = {
        case.name: [type(result).__name__ for result in case.result]
        for suite in JUnitXml.fromfile(str(night.directory / "junit.xml"))
        for case in suite
    }
    told = {"mm": ["Failure"], "late": ["Error"], "odd": ["Error"], "off": ["Skipped"]}
    assert cases.pop("verdict") == ["Failure"], "x depends on its initial state"
    assert cases == {each.name: told.get(each.entry, []) for each in JOBS}


@pytest.mark.parametrize(
    ("jobs", "told"),
    [
        ([job("a-0")], None),
        ([job("a-0", "timeout"), job("b-0")], None),
        ([job("off-0", skip="why")], "nothing was compared"),
        (
            JOBS[-2:],
            "depending on initial states: 1 stimuli; x depends on its initial state: x-0 (passed); "
            "otherwise x-1 (passed)",
        ),
    ],
)
def test_junit_xml_fails_for_what_is_wrong_beside_single_jobs(
    tmp_path: Path, jobs: list[NightJob], told: str | None
) -> None:
    night = begun(tmp_path, jobs)
    run(night, tmp_path)
    *_, suite = JUnitXml.fromfile(str(night.directory / "junit.xml"))
    (case,) = suite
    assert (suite.name, case.name) == ("the night as a whole", "verdict")
    assert [result.message for result in case.result] == ([] if told is None else [told])


def test_junit_xml_holds_whatever_a_simulator_printed(tmp_path: Path) -> None:
    def breaking_off(job: NightJob, *_: Any) -> JobResult:
        return JobResult(job, Status.CRASHED, "status 139: \x1b[31m<äöü>\x00\ufffe")

    night = begun(tmp_path, [job("a-0")])
    history, console = tmp_path / "history.sqlite", Console(quiet=True)
    session.run_session(night, 1, tmp_path / "failed", history, console, breaking_off, InlineEngine)
    suite, _ = JUnitXml.fromfile(str(night.directory / "junit.xml"))
    (case,) = suite
    assert r"status 139: \x1b[31m<äöü>�\ufffe; see it again" in case.result[0].message


def test_a_part_of_a_list_is_told_and_recorded_as_one(tmp_path: Path) -> None:
    plan = plan_now("smoke", 77, (job("a-0"),), part="tag [a], sim icarus", listed=1056)
    night = begin_night(plan, tmp_path / "nights")
    assert shown(night, tmp_path)[-1] == "Good: 1 of 1,056 jobs (tag [a], sim icarus)"
    document = summary(night)
    assert document["verdict"] == "Good: 1 of 1,056 jobs (tag [a], sim icarus)"
    assert (document["filtered"], document["part"], document["listed"]) == (True, "tag [a], sim icarus", 1056)
    with opened(tmp_path / "history.sqlite") as connection:
        assert [each.whole for each in latest_nights(connection, "smoke", 9)] == [False]


def test_a_bucket_is_told_once_with_its_smallest_seed(tmp_path: Path) -> None:
    night = begun(tmp_path, JOBS)
    run(night, tmp_path)
    found = {
        (each["kind"], each["count"], tuple(each["simulators"]), each["seed"], each["shrunk"])
        for each in summary(night)["buckets"]
    }
    assert found == {
        ("data", 2, ("icarus", "verilator"), 4, "shrunk to one"),
        ("timing", 1, ("icarus",), 5, "shrunk to one"),
        ("timeout", 1, ("icarus",), 1, ""),
        ("crashed", 1, ("icarus",), 1, ""),
    }


def test_a_standing_workload_that_takes_other_cycles_fails_the_night(tmp_path: Path) -> None:
    jobs = [job("a-0", tags=("standing",)), job("b-0")]
    assert run(begun(tmp_path, jobs), tmp_path) is ExitStatus.GOOD
    slower = begun(tmp_path, jobs)
    with sqlite3.connect(tmp_path / "history.sqlite") as history:
        history.execute("UPDATE nights SET began = '2026-01-01T00:00:00+00:00', name = 'first'")
        history.execute("UPDATE jobs SET cycles = 268346")
    assert run(slower, tmp_path) is ExitStatus.MISMATCH
    document = summary(slower)
    assert document["problems"] == ["1 drifted in their cycles"]
    assert document["drifts"] == ["a-0 took 0 cycles, but 268,346 in first"]


def test_a_path_is_told_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a[" / "b]").mkdir(parents=True)
    console = Terminal(record=True, width=200, file=(tmp_path / "out").open("w"))
    run(begun(tmp_path, [job("a-0", "fail")]), tmp_path / "a[" / "b]", console)
    assert console.export_text().splitlines()[-1].endswith("/a[/b]/failed.json")


def test_the_verdict_tells_a_path_as_it_is(tmp_path: Path) -> None:
    def damaging(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        if job.name == "b-0":
            (night / "results" / "a-0.json").write_text("{", encoding="utf-8")
        return simulate(job, directory, night, deeply)

    (tmp_path / "a[" / "b]").mkdir(parents=True)
    night = begun(tmp_path / "a[" / "b]", [job("a-0"), job("b-0")])
    verdict = shown(night, tmp_path, damaging)[-1]
    assert verdict.startswith(
        "NOT good: 1 without a result, a-0 first; --resume runs them; 1 damaged results, "
    )
    assert "/a[/b]/nights/" in verdict


def test_a_history_that_breaks_meanwhile_does_not_take_the_night_along(tmp_path: Path) -> None:
    (tmp_path / "history.sqlite").write_bytes(b"something else" * 100)
    night = begun(tmp_path, [job("a-0")])
    with pytest.raises(HistoryError, match=r"history\.sqlite: is damaged"):
        run(night, tmp_path)
    document = summary(night)
    assert document["statuses"]["passed"] == 1
    assert "is damaged" in document["drifts"][0]


def test_damaged_coverage_does_not_take_the_reports_along(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0"), job("b-0", "fail", kind="data")])
    (night.directory / "coverage" / "a-0.json").write_text("{", encoding="utf-8")
    with pytest.raises(CoverageError, match=r"coverage/a-0\.json: is not a coverage database"):
        run(night, tmp_path)
    assert summary(night)["statuses"]["failed"] == 1
    assert summary(night)["coverage"] == {}
    assert (night.directory / "junit.xml").exists()
    assert len(failed_before(tmp_path / "failed.json")) == 1


@pytest.mark.parametrize(
    ("jobs", "problem"),
    [
        ([], "nothing was compared"),
        ([job("off-0", skip="why")], "nothing was compared"),
        ([job("a-0"), replace(job("b-0"), test="none.NoneTest")], "none.NoneTest: in no feature of the test"),
    ],
)
def test_a_night_that_says_nothing_is_not_good(tmp_path: Path, jobs: list[NightJob], problem: str) -> None:
    night = begun(tmp_path, jobs)
    assert run(night, tmp_path) is ExitStatus.MISMATCH
    assert [each[: len(problem)] for each in summary(night)["problems"]] == [problem]


def test_the_terminal_tells_first_failures_at_once_and_buckets_last(tmp_path: Path) -> None:
    console = Terminal(record=True, width=200, quiet=False, file=(tmp_path / "out").open("w"))
    run(begun(tmp_path, JOBS), tmp_path, console)
    lines = console.export_text().splitlines()
    assert lines.index("mm-0: failed: word 3") < lines.index(
        "2 jobs on icarus and verilator: data, matrix, MM, C"
    )
    assert any(line.startswith("seed 77; results in ") for line in lines)
    assert lines[-2].startswith("NOT good: 3 failed; 1 timeout")
    # two of mm, mm-2, late-0, x-0 and x-1; odd-0 is a mistake of the bench
    assert lines[-1].startswith("6 failed seeds are remembered in ")


@pytest.mark.parametrize("removed", ["night.json", "results", "."])
def test_run_whose_files_are_removed_is_not_recorded(tmp_path: Path, removed: str) -> None:
    def removing(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        gone = night / removed
        shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
        return simulate(job, directory, night, deeply)

    night = begun(tmp_path, [job("a-0"), job("b-0")])
    with pytest.raises(NightError, match="was removed during the run; its results are lost and not recorded"):
        run(night, tmp_path, simulate=removing)
    assert not (night.directory / "summary.json").exists()
    assert not (tmp_path / "history.sqlite").exists()


def test_a_run_without_any_result_is_not_recorded(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0", "no space"), job("b-0")])
    with pytest.raises(Ga2Error, match="there is no space left"):
        run(night, tmp_path)
    assert summary(night)["missing"] == ["a-0", "b-0"]
    assert not (tmp_path / "history.sqlite").exists()


def test_the_coverage_reached_stands_next_to_the_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "coverage_of", lambda _: {"hit": 152, "bins": 1219})
    lines = shown(begun(tmp_path, [job("a-0")]), tmp_path)
    assert lines[-2:] == ["Good", "coverage: 152 of 1,219 bins (`make close` checks the goals)"]


def test_the_most_memory_that_a_job_had_is_reported(tmp_path: Path) -> None:
    def simulate_with_memory(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        held = b"x" * (300 << 20) if job.name == "b-0" else b""
        time.sleep(0.5)  # so that it is seen
        del held
        return simulate(job, directory, night, deeply)

    night = begun(tmp_path, [job("a-0"), job("b-0")])
    lines = shown(night, tmp_path, simulate_with_memory)
    small, large = (each["memory"] for each in summary(night)["jobs"])
    assert large - small == pytest.approx(300 << 20, rel=0.2)
    assert summary(night)["cost"]["memory"] == large
    assert any(line.endswith(f"at most {large / 1e6:,.0f} MB a job") for line in lines)
