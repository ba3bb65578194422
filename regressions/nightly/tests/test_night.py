"""A night: what it runs, what it goes on with, and when it is good."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from junitparser import JUnitXml
from rich.console import Console

from refmodel.errors import Ga2Error
from regressions.exit_status import ExitStatus
from regressions.history.database import HistoryError, opened
from regressions.history.failures import failures_of
from regressions.history.nights import latest_nights
from regressions.nightly import session
from regressions.nightly.attempt import RERUNS, RESULTS, Assignment, carry_out, run_again
from regressions.nightly.failed_seeds import failed_before
from regressions.nightly.job import NightJob
from regressions.nightly.night import (
    Night,
    NightError,
    begin_night,
    last_night,
    open_night,
    plan_now,
    require_same_chip,
)
from regressions.nightly.outcome import outcome_of
from regressions.nightly.result import JobResult, Status, write_result
from regressions.nightly.tests.fakes import InlineEngine, job, simulate
from regressions.testplan.plan import load_plan
from verif.coverage.errors import CoverageError

JOBS = [
    job("pass-0"),
    job("pass-1", simulator="verilator"),
    job("mm-0", "fail", seed=9, kind="data", unit="matrix", opcode="MM", role="C"),
    job("mm-1", "fail", simulator="verilator", seed=4, kind="data", unit="matrix", opcode="MM", role="C"),
    job("mm-2", "fail", seed=5, kind="timing", unit="matrix", opcode="MM", role="C"),
    job("late-0", "timeout"),
    job("off-0", "pass", skip="known, until it is repaired"),
    job("odd-0", "raise"),
    job("x-0", build="x-random", stimulus="x"),
    job("x-1", build="x-random", stimulus="x", simulator="verilator", found="other"),
]


def begun(tmp_path: Path, jobs: Sequence[NightJob]) -> Night:
    return begin_night(plan_now("smoke", 77, tuple(jobs)), tmp_path / "nights")


def run(night: Night, tmp_path: Path, console: Console | None = None) -> ExitStatus:
    shown = console or Console(quiet=True)
    failed_seeds, history = tmp_path / "failed.json", tmp_path / "history.sqlite"
    return session.run_session(night, 1, failed_seeds, history, shown, simulate, InlineEngine)


def summary(night: Night) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((night.directory / "summary.json").read_text(encoding="utf-8"))
    return document


def attempts(night: Night, name: str) -> list[str]:
    return sorted(path.name for path in (night.directory / "attempts" / name).iterdir())


def without_circumstances(night: Night) -> dict[str, Any]:
    """Return a night's summary without what no two nights have in common: times, attempts, its directory."""
    document = summary(night)
    for name in ("night", "began", "cost"):
        del document[name]
    for each in document["jobs"]:
        for name in ("seconds", "simulation_cpu", "attempt"):
            each.pop(name, None)
    return document


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
    assert document["problems"] == ["3 failed", "1 timeout", "1 crashed", "1 depend on their initial state"]
    assert [each["name"] for each in document["jobs"]] == [each.name for each in JOBS]
    assert (document["base_seed"], document["list"], document["missing"]) == (77, "smoke", [])
    cases = {
        case.name: [type(result).__name__ for result in case.result]
        for suite in JUnitXml.fromfile(str(night.directory / "junit.xml"))
        for case in suite
    }
    told = {"mm": ["Failure"], "late": ["Error"], "odd": ["Error"], "off": ["Skipped"]}
    assert cases == {each.name: told.get(each.entry, []) for each in JOBS}


def test_junit_xml_holds_whatever_a_simulator_printed(tmp_path: Path) -> None:
    def breaking_off(job: NightJob, *_: Any) -> JobResult:
        return JobResult(job, Status.CRASHED, "status 139: \x1b[31m<äöü>\x00\ufffe")

    night = begun(tmp_path, [job("a-0")])
    history, console = tmp_path / "history.sqlite", Console(quiet=True)
    session.run_session(night, 1, tmp_path / "failed", history, console, breaking_off, InlineEngine)
    (suite,) = JUnitXml.fromfile(str(night.directory / "junit.xml"))
    (case,) = suite
    assert "status 139: �[31m<äöü>��; see it again" in case.result[0].message


def test_a_part_of_a_list_is_told_and_recorded_as_one(tmp_path: Path) -> None:
    night = begin_night(plan_now("smoke", 77, (job("a-0"),), filtered=True), tmp_path / "nights")
    assert run(night, tmp_path) is ExitStatus.GOOD
    assert summary(night)["filtered"] is True
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


def test_a_night_that_was_interrupted_and_resumed_equals_one_that_was_not(tmp_path: Path) -> None:
    stops = [job("stop-0", "interrupt once"), job("stop-1", "interrupt once")]
    jobs = [*JOBS[:4], stops[0], *JOBS[4:7], stops[1], *JOBS[7:]]
    night = begun(tmp_path, jobs)
    for finished in (5, 8):
        with pytest.raises(KeyboardInterrupt):
            run(night, tmp_path)
        document = summary(night)
        assert sum(document["statuses"].values()) == finished
        assert not document["good"]
        assert "without a result" in " ".join(document["problems"])
        night = open_night(night.directory)
    assert run(night, tmp_path) is ExitStatus.MISMATCH
    attempts = {each["name"]: each.get("attempt") for each in summary(night)["jobs"]}
    assert attempts["stop-0"] == attempts["stop-1"] == 2
    assert attempts["pass-0"] == attempts["x-1"] == 1
    uninterrupted = begun(tmp_path, jobs)
    (uninterrupted.directory / "attempts" / "stop-0" / "1").mkdir(parents=True)
    (uninterrupted.directory / "attempts" / "stop-1" / "1").mkdir(parents=True)
    run(uninterrupted, tmp_path)
    assert without_circumstances(night) == without_circumstances(uninterrupted)


def test_a_job_that_found_no_space_has_no_result(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0"), job("b-0", "no space"), job("c-0")])
    with pytest.raises(Ga2Error, match="there is no space left"):
        run(night, tmp_path)
    assert list(outcome_of(night, load_plan()).problems()) == [
        "2 without a result, b-0 first; --resume runs them"
    ]


def test_the_result_of_another_job_of_that_name_does_not_count(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0", seed=3)])
    run(night, tmp_path)
    other = job("a-0", seed=4)
    assert night.result(night.plan.jobs[0]) is not None
    assert night.result(other) is None


def test_a_closer_look_does_not_lose_a_failure(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0", "fail", times=1 + RERUNS, kind="data")])
    assert run(night, tmp_path) is ExitStatus.MISMATCH
    assert summary(night)["statuses"]["failed"] == 1
    assert attempts(night, "a-0") == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("times", [1, 3])
def test_a_failure_that_passes_when_it_runs_again_is_flaky(times: int, tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0", "fail", times=times, kind="data"), job("b-0")])
    assert run(night, tmp_path) is ExitStatus.MISMATCH
    document = summary(night)
    assert {status: number for status, number in document["statuses"].items() if number} == {
        "passed": 1,
        "flaky": 1,
    }
    assert document["problems"] == ["1 flaky"]
    flaky = document["jobs"][0]
    assert (flaky["reruns"], flaky["attempt"]) == (times, 1)
    assert flaky["reason"] == f"failed (word 3), but it passed in attempt {times + 1}"
    assert attempts(night, "a-0") == [str(number) for number in range(1, times + 2)]
    assert document["buckets"][0]["jobs"] == ["a-0"]
    assert run(night, tmp_path) is ExitStatus.MISMATCH, "it stays what it is"
    assert len(attempts(night, "a-0")) == times + 1


def test_a_job_that_keeps_failing_runs_three_times_more_and_no_oftener(tmp_path: Path) -> None:
    jobs = [job("a-0", "timeout"), job("b-0", "killed"), job("c-0"), job("d-0", "fail", kind="data")]
    night = begun(tmp_path, jobs)
    for _ in range(2):
        run(night, tmp_path)
        reruns = {each["name"]: (each["status"], each["reruns"]) for each in summary(night)["jobs"]}
        assert reruns == {
            "a-0": ("timeout", 3),
            "b-0": ("killed", 0),
            "c-0": ("passed", 0),
            "d-0": ("failed", 3),
        }
    assert attempts(night, "a-0") == ["1", "2", "3", "4"]
    assert attempts(night, "d-0") == ["1", "2", "3", "4", "5"], "and the closer look"


def test_what_a_flaky_job_covers_does_not_count(tmp_path: Path) -> None:
    def covering(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        result = simulate(job, directory, night, deeply)
        if result.status is Status.PASSED:
            (night / "coverage" / job.name).touch()
            (night / "code-coverage" / job.name).touch()
        return result

    night = begun(tmp_path, [job("a-0", "fail", times=1), job("b-0")])
    for each in night.plan.jobs:
        carry_out(Assignment(each, night.directory, covering))
    assert run_again(Assignment(night.plan.jobs[0], night.directory, covering)).status is Status.FLAKY
    for part in ("coverage", "code-coverage"):
        assert [path.name for path in (night.directory / part).iterdir()] == ["b-0"]


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


def test_a_night_is_in_the_history_once_however_often_it_was_resumed(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0", "fail", kind="data"), job("b-0", "interrupt once")])
    for is_whole in (False, True):
        with contextlib.suppress(KeyboardInterrupt):
            run(night, tmp_path)
        with opened(tmp_path / "history.sqlite") as connection:
            (recorded,) = latest_nights(connection, "smoke", 9)
            assert (recorded.name, recorded.whole, recorded.good) == (night.directory.name, is_whole, False)
            (failure,) = failures_of(connection, recorded)
            assert (failure.state, failure.jobs) == ("new", ("a-0",))


def test_a_path_is_told_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a[" / "b]").mkdir(parents=True)
    console = Console(record=True, width=200, file=(tmp_path / "out").open("w"))
    run(begun(tmp_path, [job("a-0", "fail")]), tmp_path / "a[" / "b]", console)
    assert console.export_text().splitlines()[-1].endswith("/a[/b]/failed.json")


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
    with pytest.raises(CoverageError, match=r"coverage/a-0\.json: is no coverage database"):
        run(night, tmp_path)
    assert summary(night)["statuses"]["failed"] == 1
    assert summary(night)["coverage"] == {}
    assert (night.directory / "junit.xml").exists()
    assert len(failed_before(tmp_path / "failed.json")) == 1


def test_a_killed_job_runs_again_when_the_night_is_resumed(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0"), job("b-0")])
    run(night, tmp_path)
    result = night.result(night.plan.jobs[0])
    assert result is not None
    write_result(night.directory / RESULTS, replace(result, status=Status.KILLED))
    assert not outcome_of(night, load_plan()).statuses[Status.FAILED]
    assert "1 killed" in outcome_of(night, load_plan()).problems()
    assert run(night, tmp_path) is ExitStatus.GOOD


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


def test_results_of_two_builds_are_no_night(tmp_path: Path) -> None:
    jobs = [job("a-0"), job("b-0"), job("v-0", simulator="verilator"), job("c-0", build="coverage")]
    night = begun(tmp_path, jobs)
    for each, build in zip(jobs, ("one", "one", "two", "three"), strict=True):
        write_result(
            night.directory / RESULTS, JobResult(each, Status.PASSED, programs=1, comparisons=1, build=build)
        )
    assert not list(outcome_of(night, load_plan()).problems())
    other = JobResult(jobs[1], Status.PASSED, programs=1, comparisons=1, build="changed")
    write_result(night.directory / RESULTS, other)
    (problem,) = outcome_of(night, load_plan()).problems()
    assert problem.startswith("icarus ran on more than one RTL")


def test_a_missing_result_fails_the_night(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0"), job("b-0")])
    assert run(night, tmp_path) is ExitStatus.GOOD
    (night.directory / RESULTS / "a-0.json").unlink()
    assert list(outcome_of(night, load_plan()).problems()) == [
        "1 without a result, a-0 first; --resume runs them"
    ]


def test_nights_side_by_side_have_nothing_in_common(tmp_path: Path) -> None:
    first, second = begun(tmp_path, JOBS), begun(tmp_path, JOBS)
    assert first.directory != second.directory
    assert begun(tmp_path, JOBS[:1]).directory not in (first.directory, second.directory)
    with first.held():
        run(second, tmp_path)
        with pytest.raises(NightError, match="is running already; wait for it"):
            run(open_night(first.directory), tmp_path)
    assert not (first.directory / "summary.json").exists()
    assert not list((first.directory / RESULTS).iterdir())


def test_what_is_no_night_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(NightError, match=r"night\.json: No such file or directory; name the directory"):
        open_night(tmp_path)
    (tmp_path / "night.json").write_text('{"list": "smoke"}', encoding="utf-8")
    with pytest.raises(NightError, match=r"night\.json is damaged \(Field required\)"):
        open_night(tmp_path)
    with pytest.raises(NightError, match="there is no night of list weekly to resume"):
        last_night("weekly", tmp_path)


def test_the_last_night_of_a_list_is_found(tmp_path: Path) -> None:
    first = begun(tmp_path, JOBS)
    last = begun(tmp_path, JOBS)
    begin_night(plan_now("smoke-2.toml", 77, tuple(JOBS)), tmp_path / "nights")
    older = (first.directory / "night.json").stat().st_mtime - 10
    os.utime(first.directory / "night.json", (older, older))
    assert last_night("smoke", tmp_path / "nights") == last.directory
    odd = begin_night(plan_now("own[1].toml", 77, tuple(JOBS)), tmp_path / "nights")
    assert last_night("own[1].toml", tmp_path / "nights") == odd.directory


def test_other_rtl_than_it_began_with_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    night = begun(tmp_path, JOBS)
    require_same_chip(night)
    monkeypatch.setenv("RTL", "my/files.f")
    with pytest.raises(
        NightError, match=r"began with RTL the project's, but now it is \{'RTL': 'my/files\.f'\}"
    ):
        require_same_chip(night)
    monkeypatch.delenv("RTL")
    with pytest.raises(NightError, match="began with commit abc, but now it is"):
        require_same_chip(Night(night.directory, replace(night.plan, commit="abc")))


def test_other_stimulus_than_it_began_with_is_refused(tmp_path: Path) -> None:
    night = begun(tmp_path, JOBS)
    name = "sequences/random_programs/draws.py"
    assert name in night.plan.sources
    before = replace(night.plan, sources={**night.plan.sources, name: "0" * 12})
    with pytest.raises(NightError, match=f"began with other sources; changed since: {name}. Results of both"):
        require_same_chip(Night(night.directory, before))


def test_the_terminal_tells_first_failures_at_once_and_buckets_last(tmp_path: Path) -> None:
    console = Console(record=True, width=200, quiet=False, file=(tmp_path / "out").open("w"))
    run(begun(tmp_path, JOBS), tmp_path, console)
    lines = console.export_text().splitlines()
    assert lines.index("mm-0: failed: word 3") < lines.index(
        "2 jobs on icarus and verilator: data, matrix, MM, C"
    )
    assert any(line.startswith("seed 77; results in ") for line in lines)
    assert lines[-2].startswith("NOT good: 3 failed; 1 timeout")
    assert lines[-1].startswith("7 failed seeds are remembered in ")
