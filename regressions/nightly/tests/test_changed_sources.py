"""Sources that are edited while a run is under way: no result is mixed, none is lost, none is remembered.

The source here is RTL of the user's own, which the jobs of these tests edit instead of simulating it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.exit_status import ExitStatus
from regressions.nightly.attempt import ATTEMPTS
from regressions.nightly.job import NightJob
from regressions.nightly.local_engine import LocalEngine
from regressions.nightly.night import Night, NightError, open_night, require_same_chip
from regressions.nightly.result import JobResult, Status, write_result
from regressions.nightly.running import look_closer, run_failed_again, run_jobs_left
from regressions.nightly.tests.fakes import InlineEngine, job, simulate
from regressions.nightly.tests.nights import begun, run, summary

Edit = Callable[[], object]


@pytest.fixture
def rtl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "own" / "chip.sv"
    path.parent.mkdir()
    path.write_text("right")
    monkeypatch.setenv("RTL", str(path))
    return path


def editing(name: str, edit: Edit) -> Callable[[NightJob, Path, Path, bool], JobResult]:
    """Return a simulation during which, in the job of that name, a source is edited."""

    def simulated(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        if job.name == name:
            edit()
        return simulate(job, directory, night, deeply)

    return simulated


def statuses(night: Night) -> dict[str, Status]:
    return {job.name: result.status for job, result in night.results() if result is not None}


def test_job_whose_sources_change_has_no_result_and_the_run_says_so(tmp_path: Path, rtl: Path) -> None:
    night = begun(tmp_path, [job("a-0"), job("b-0"), job("c-0")])
    assert (
        run(night, tmp_path, simulate=editing("b-0", lambda: rtl.write_text("wrong"))) is ExitStatus.MISMATCH
    )
    assert statuses(night) == {"a-0": Status.PASSED}
    document = summary(night)
    assert not document["good"]
    assert document["missing"] == ["b-0", "c-0"]
    assert f"sources changed during the run: rtl ({rtl})" in " ".join(document["problems"])
    assert "sources changed during the run" in (night.directory / "junit.xml").read_text()


def test_resume_wants_the_sources_back_and_runs_the_rest(tmp_path: Path, rtl: Path) -> None:
    night = begun(tmp_path, [job("a-0"), job("b-0")])
    run(night, tmp_path, simulate=editing("b-0", lambda: rtl.write_text("wrong")))
    again = open_night(night.directory)
    with pytest.raises(
        NightError, match=r"changed since: rtl \(.*chip\.sv\)\..* restore them, or begin another"
    ):
        require_same_chip(again)
    rtl.write_text("right")
    require_same_chip(again)
    assert run(again, tmp_path) is ExitStatus.GOOD
    assert statuses(night) == {"a-0": Status.PASSED, "b-0": Status.PASSED}


def test_source_rewritten_with_the_same_content_is_no_change(tmp_path: Path, rtl: Path) -> None:
    night = begun(tmp_path, [job("a-0")])
    assert run(night, tmp_path, simulate=editing("a-0", lambda: rtl.write_text("right"))) is ExitStatus.GOOD


@pytest.mark.parametrize("do", ["fail", "crashed", "raise", "timeout", "explain"])
def test_failure_with_changed_sources_is_forgotten(tmp_path: Path, rtl: Path, do: str) -> None:
    """Of what the job left nothing stays that a later call could take for its verdict."""
    night = begun(tmp_path, [job("a-0", do, kind="data", slow=[])])
    run(night, tmp_path, simulate=editing("a-0", lambda: rtl.write_text("wrong")))
    assert statuses(night) == {}
    assert not (tmp_path / "failed.json").exists()
    assert not (night.directory / ATTEMPTS / "a-0").exists()
    rtl.write_text("right")
    assert run(open_night(night.directory), tmp_path, simulate=_passing) is ExitStatus.GOOD


def _passing(job: NightJob, *_: object) -> JobResult:
    return JobResult(job, Status.PASSED, "", 1, 10)


def test_coverage_of_changed_sources_is_removed(tmp_path: Path, rtl: Path) -> None:
    night = begun(tmp_path, [job("a-0")])
    database = night.directory / "coverage" / "a-0.json"

    def edit() -> None:
        database.touch()
        rtl.write_text("wrong")

    run(night, tmp_path, simulate=editing("a-0", edit))
    assert not database.exists()


def test_worker_that_cannot_load_edited_sources_is_no_failed_job(tmp_path: Path, rtl: Path) -> None:
    """It raises before the job begins, so that no worker can prove anything."""

    class Engine(InlineEngine):
        def submit(self, name: str, function: Callable[..., object], argument: object) -> None:
            del function
            super().submit(name, _cannot_load, argument)

    night = begun(tmp_path, [job("a-0")])
    with pytest.raises(Ga2Error, match="a worker cannot load the bench: the bench failed: SyntaxError"):
        run_jobs_left(night, Engine(), simulate, lambda _: None)
    rtl.write_text("wrong")
    with pytest.raises(Ga2Error, match="sources changed during the run"):
        run_jobs_left(night, Engine(), simulate, lambda _: None)
    assert statuses(night) == {}


def _cannot_load(_: object) -> None:
    raise SyntaxError("invalid syntax (scoreboard.py, line 7)")


def test_rerun_and_closer_look_with_changed_sources_change_nothing(tmp_path: Path, rtl: Path) -> None:
    """The failure, which the job has with the right sources, stays; what was not tried is tried later."""
    failed = job("a-0", "fail", kind="data")
    night = begun(tmp_path, [failed])
    run_jobs_left(night, InlineEngine(), simulate, lambda _: None)
    rtl.write_text("wrong")
    for step in (run_failed_again, look_closer):
        with pytest.raises(Ga2Error, match="sources changed during the run"):
            list(step(night, InlineEngine(), _passing, lambda _: None))
    result = night.result(failed)
    assert result is not None
    assert (result.status, result.reruns) == (Status.FAILED, 0)


def test_verdict_of_a_killed_worker_with_changed_sources_does_not_count(tmp_path: Path, rtl: Path) -> None:
    """Its replacement finds other sources, and what the first one knew is not proven."""
    (only,) = (night := begun(tmp_path, [job("a-0")])).plan.jobs
    first = night.directory / ATTEMPTS / "a-0" / "1"
    first.mkdir(parents=True)
    write_result(first, JobResult(only, Status.FAILED, "word 3", 1, 1))
    rtl.write_text("wrong")
    run(night, tmp_path)
    rtl.write_text("right")
    assert run(open_night(night.directory), tmp_path) is ExitStatus.GOOD


def test_workers_prove_it_in_their_own_processes(tmp_path: Path, rtl: Path) -> None:
    """Of four jobs, two at a time, the second edits the source: only the first has a result for certain."""
    jobs = [job("a-0"), job("edit-0"), job("c-0", "sleep", seconds=1), job("d-0")]
    night = begun(tmp_path, jobs)
    engine = LocalEngine(1)
    try:
        with pytest.raises(Ga2Error, match=r"sources changed during the run: rtl \(.*chip\.sv\)"):
            run_jobs_left(night, engine, edit_in_a_worker, lambda _: None)
    finally:
        engine.close()
    assert statuses(night) == {"a-0": Status.PASSED}
    assert rtl.read_text() == "wrong"


def edit_in_a_worker(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
    if job.name == "edit-0":
        (night.parents[1] / "own" / "chip.sv").write_text("wrong")
    return simulate(job, directory, night, deeply)
