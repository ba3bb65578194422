"""The first job of each bucket is run once more, to show and shrink its failure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from regressions.exit_status import ExitStatus
from regressions.nightly.attempt import RERUNS
from regressions.nightly.job import NightJob
from regressions.nightly.result import Cost, JobResult, Status, write_result
from regressions.nightly.tests.fakes import job, simulate
from regressions.nightly.tests.nights import attempts, begun, run, shown, summary
from verif.simulation.simulation import NoSpaceError


def test_what_does_not_show_again_is_not_lost_and_told(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0", "fail", times=1 + RERUNS, kind="data")])
    assert run(night, tmp_path) is ExitStatus.MISMATCH
    document = summary(night)
    assert document["statuses"]["failed"] == 1
    assert (document["buckets"][0]["kind"], document["buckets"][0]["shrunk"]) == ("data", "")
    assert document["warnings"] == [
        "a-0 could not be looked at closer: attempt 5 did not show the same, but passed"
    ]
    assert attempts(night, "a-0") == ["1", "2", "3", "4", "5"]


def test_a_closer_look_that_passes_covers_nothing(tmp_path: Path) -> None:
    def covering(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        result = simulate(job, directory, night, deeply)
        if result.status is Status.PASSED:
            (night / "coverage" / f"{job.name}.json").touch()
            (night / "code-coverage" / f"{job.name}.dat").touch()
        return result

    night = begun(tmp_path, [job("a-0", "fail", times=1 + RERUNS, kind="data")])
    run(night, tmp_path, simulate=covering)
    assert summary(night)["statuses"]["failed"] == 1
    for part in ("coverage", "code-coverage"):
        assert not list((night.directory / part).iterdir())


def test_a_closer_look_does_not_count_as_what_the_job_took(tmp_path: Path) -> None:
    def timed(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        return replace(simulate(job, directory, night, deeply), cost=Cost(seconds=90 if deeply else 2))

    night = begun(tmp_path, [job("a-0", "fail", kind="data")])
    run(night, tmp_path, simulate=timed)
    assert summary(night)["buckets"][0]["shrunk"] == "shrunk to one"
    assert summary(night)["jobs"][0]["seconds"] == 2


def test_a_mistake_of_the_bench_in_explaining_is_told_beside_the_failure(tmp_path: Path) -> None:
    def troubled(job: NightJob, directory: Path, *_: object) -> JobResult:
        write_result(directory, JobResult(job, Status.FAILED, "word 3"))
        raise RuntimeError("a mistake")

    night = begun(tmp_path, [job("a-0")])
    run(night, tmp_path, simulate=troubled)
    (told,) = summary(night)["jobs"]
    why = "the bench failed: RuntimeError: a mistake"
    assert (told["status"], told["reason"]) == (
        "failed",
        f"word 3; not explained, for {why}; not run again",
    )
    assert summary(night)["warnings"] == [f"a-0 could not be run again: {why}"]


def test_what_keeps_one_from_being_looked_at_is_told_and_keeps_no_other(tmp_path: Path) -> None:
    def troubled(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        result = simulate(job, directory, night, deeply)
        if deeply and job.name == "full-0":
            raise NoSpaceError("there is no space left")
        if deeply and job.name == "odd-0":
            raise RuntimeError("a mistake")
        if deeply and job.name == "bare-0":
            return replace(result, failure=None, reason="word 3; its folder cannot be written")
        return result

    kinds = {"full-0": "data", "odd-0": "timing", "bare-0": "order", "good-0": "hang"}
    night = begun(tmp_path, [job(name, "fail", kind=kind) for name, kind in kinds.items()])
    lines = shown(night, tmp_path, troubled)
    document = summary(night)
    assert {each["job"]: (each["kind"], each["shrunk"]) for each in document["buckets"]} == {
        name: (kind, "shrunk to one" if name == "good-0" else "") for name, kind in kinds.items()
    }
    problems = {
        "full-0": "there is no space left",
        "odd-0": "the bench failed: RuntimeError: a mistake",
        "bare-0": "attempt 5 did not show the same, but failed: word 3; its folder cannot be written",
    }
    told = {f"{name} could not be looked at closer: {why}" for name, why in problems.items()}
    assert set(document["warnings"]) == told
    assert {line.removeprefix("warning: ") for line in lines if line.startswith("warning: ")} == told
    assert document["statuses"]["failed"] == 4
    assert (night.directory / "junit.xml").exists()

    run(night, tmp_path)
    assert not summary(night)["warnings"], "there is space again"
    assert {each["shrunk"] for each in summary(night)["buckets"]} == {"shrunk to one"}


def test_flaky_failures_are_not_looked_at(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0", "fail", times=1, kind="data")])
    run(night, tmp_path)
    result = night.result(night.plan.jobs[0])
    assert result is not None
    assert (result.status, attempts(night, "a-0")) == (Status.FLAKY, ["1", "2"])
