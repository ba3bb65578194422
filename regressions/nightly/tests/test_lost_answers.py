"""A worker that dies after it has written a result, and before anybody heard of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from regressions.nightly.attempt import Assignment, carry_out
from regressions.nightly.engine import Ended
from regressions.nightly.job import NightJob
from regressions.nightly.night import Night, begin_night, plan_now
from regressions.nightly.result import JobResult, Status
from regressions.nightly.running import jobs_left, run_jobs_left
from regressions.nightly.tests.fakes import InlineEngine, job, simulate


def night_of(tmp_path: Path, *dos: str) -> Night:
    jobs = tuple(job(f"{do}-{number}", do) for number, do in enumerate(dos))
    return begin_night(plan_now("smoke", 1, jobs), tmp_path)


class DeafEngine(InlineEngine):
    """Runs jobs, and hears of none."""

    def ended(self) -> Iterator[Ended]:
        for ended in super().ended():
            yield Ended(ended.name, lost="it died")


def test_a_result_that_was_written_counts_whatever_becomes_of_its_worker(tmp_path: Path) -> None:
    night = night_of(tmp_path, "pass", "fail", "killed")
    told: list[JobResult] = []
    run_jobs_left(night, DeafEngine(), simulate, told.append)
    assert [result.status for result in told] == [Status.PASSED, Status.FAILED, Status.KILLED]
    assert [each.name for each in jobs_left(night)] == ["killed-2"]


def test_a_job_that_is_begun_again_beside_its_result_does_not_run_again(tmp_path: Path) -> None:
    night = night_of(tmp_path, "killed")
    (killed,) = night.plan.jobs
    first = carry_out(Assignment(killed, night.directory, simulate, night.plan.sources))
    assert first.status is Status.KILLED
    assert carry_out(Assignment(killed, night.directory, never, night.plan.sources)) == first


def test_a_killed_job_runs_again_in_the_next_call_alone(tmp_path: Path) -> None:
    night = night_of(tmp_path, "killed")
    run_jobs_left(night, InlineEngine(), simulate, lambda _: None)
    told: list[JobResult] = []
    run_jobs_left(night, InlineEngine(), passing, told.append)
    assert [result.status for result in told] == [Status.PASSED]
    run_jobs_left(night, InlineEngine(), never, told.append)
    assert len(told) == 1


def passing(job: NightJob, *_: object) -> JobResult:
    return JobResult(job, Status.PASSED)


def never(*_: object) -> JobResult:
    raise AssertionError("it has run already")
