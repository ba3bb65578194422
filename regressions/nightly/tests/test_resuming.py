"""How a night that was interrupted goes on, and what keeps it from that."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.command_line import main
from regressions.exit_status import ExitStatus
from regressions.history.database import opened
from regressions.history.failures import failures_of
from regressions.history.nights import latest_nights
from regressions.nightly import night as night_module
from regressions.nightly.attempt import RESULTS
from regressions.nightly.cost import CostMeter, NightCost
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
from regressions.nightly.place import is_finished, last_unfinished
from regressions.nightly.result import JobResult, Status, write_result
from regressions.nightly.tests.fakes import job
from regressions.nightly.tests.nights import JOBS, begun, run, summary, without_circumstances
from regressions.testplan.plan import load_plan


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


def test_a_killed_job_runs_again_when_the_night_is_resumed(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0"), job("b-0")])
    run(night, tmp_path)
    result = night.result(night.plan.jobs[0])
    assert result is not None
    write_result(night.directory / RESULTS, replace(result, status=Status.KILLED))
    assert not outcome_of(night, load_plan()).statuses[Status.FAILED]
    assert "1 killed" in outcome_of(night, load_plan()).problems()
    assert run(night, tmp_path) is ExitStatus.GOOD


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


def test_what_is_no_night_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(
        NightError, match=r"night\.json: cannot be read: No such file or directory; name the directory"
    ):
        open_night(tmp_path)
    with pytest.raises(NightError, match="there is no night of list weekly yet"):
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


def test_what_is_no_source_may_change_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(night_module, "git_commit", lambda: "abc")
    night = begun(tmp_path, [job("a-0")])
    monkeypatch.setattr(night_module, "git_commit", lambda: "abc-dirty")
    require_same_chip(night)
    monkeypatch.setattr(night_module, "git_commit", lambda: "abd-dirty")
    with pytest.raises(NightError, match="began with commit abc, but now it is abd"):
        require_same_chip(night)


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


def test_other_stimulus_than_it_began_with_is_refused(tmp_path: Path) -> None:
    night = begun(tmp_path, JOBS)
    name = "sequences/random_programs/draws.py"
    assert name in night.plan.sources
    before = replace(night.plan, sources={**night.plan.sources, name: "0" * 12})
    with pytest.raises(
        NightError,
        match=f"began with other sources; changed since: sequences \\({name}\\)\\. Results of both",
    ):
        require_same_chip(Night(night.directory, before))


def test_costs_of_all_calls_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([100.0, 40.0, 7.0])
    cost = NightCost(seconds=0.0, cpu=3.0, simulation_cpu=2.0, bench_cpu=0.5, cores=2)
    monkeypatch.setattr(CostMeter, "read", lambda _: replace(cost, seconds=next(seconds)))
    night = begun(tmp_path, [job("a-0"), job("b-0", "interrupt once"), job("c-0", "interrupt once")])
    for total, calls in ((100.0, 1), (140.0, 2), (147.0, 3)):
        with contextlib.suppress(KeyboardInterrupt):
            run(night, tmp_path)
        told = summary(night)["cost"]
        assert (told["seconds"], told["cpu"], told["simulation_cpu"]) == (total, 3.0 * calls, 2.0 * calls)
        with opened(tmp_path / "history.sqlite") as connection:
            (recorded,) = latest_nights(connection, "smoke", 9)
            assert recorded.seconds == total
        assert is_finished(night) is (calls == 3)


def test_a_finished_run_is_not_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(last_unfinished, "__defaults__", (tmp_path / "nights",))
    failing = begun(tmp_path, [job("a-0", "fail")])
    run(failing, tmp_path)
    good = begun(tmp_path, [job("a-0")])
    run(good, tmp_path)
    os.utime(good.directory / "night.json", (time.time() + 9, time.time() + 9))
    before = contents(tmp_path)
    history = ["--history", str(tmp_path / "history.sqlite")]
    for night, status, verdict in (("last", 0, "Good"), (str(failing.directory), 1, "NOT good")):
        assert main(["nightly", "smoke", "--resume", night, *history]) == status
        name = good.directory.name if night == "last" else failing.directory.name
        told = capsys.readouterr().out
        assert told == f"nothing is left to run: {name} is finished. {verdict}\n"
    assert contents(tmp_path) == before


def contents(directory: Path) -> dict[Path, tuple[int, bytes]]:
    """Return every file with its time of change."""
    files = [path for path in directory.rglob("*") if path.is_file()]
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_the_last_unfinished_run_is_the_one_to_resume(tmp_path: Path) -> None:
    unfinished, finished = begun(tmp_path, [job("a-0")]), begun(tmp_path, [job("a-0")])
    run(finished, tmp_path)
    os.utime(finished.directory / "night.json", (time.time() + 9, time.time() + 9))
    assert last_unfinished("smoke", tmp_path / "nights").directory == unfinished.directory
    run(unfinished, tmp_path)
    assert last_unfinished("smoke", tmp_path / "nights").directory == finished.directory
    (unfinished.directory / "summary.json").write_text("{", encoding="utf-8")  # damaged: to be written again
    assert last_unfinished("smoke", tmp_path / "nights").directory == unfinished.directory
    run(unfinished, tmp_path)
    (finished.directory / RESULTS / "a-0.json").unlink()
    assert last_unfinished("smoke", tmp_path / "nights").directory == finished.directory
