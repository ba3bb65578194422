"""What a job may take as a whole; a failure that is known is not lost, whatever becomes of explaining it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from regressions.nightly.attempt import RERUNS
from regressions.nightly.job import NightJob
from regressions.nightly.job_limit import TIMES, limited
from regressions.nightly.local_engine import LocalEngine
from regressions.nightly.night import Night, begin_night, plan_now
from regressions.nightly.result import Cost, JobResult, Status
from regressions.nightly.running import look_closer, run_failed_again, run_jobs_left
from regressions.nightly.tests.fakes import job, simulate, sleepers_of

LIMIT = 1.0


@pytest.fixture
def engine() -> Iterator[LocalEngine]:
    made = LocalEngine(1)
    yield made
    made.close()


def explained(name: str, *slow: str, **more: Any) -> NightJob:
    """Return a job that fails; in these attempts explaining that takes for ever."""
    return job(name, "explain", timeout=LIMIT / TIMES, slow=list(slow), seconds=600, kind="data", **more)


def night_of(tmp_path: Path, *jobs: NightJob) -> Night:
    return begin_night(plan_now("smoke", 1, jobs), tmp_path)


def result_of(night: Night) -> JobResult:
    result = night.result(night.plan.jobs[0])
    assert result is not None
    return result


def attempts(night: Night) -> int:
    return len(list((night.directory / "attempts" / night.plan.jobs[0].name).iterdir()))


def test_explaining_that_takes_too_long_is_cut_and_the_failure_stays(
    tmp_path: Path, engine: LocalEngine
) -> None:
    night = night_of(tmp_path, explained("a-0", "1"), job("b-0"))
    told: list[JobResult] = []
    run_jobs_left(night, engine, simulate, told.append)
    assert not sleepers_of(night)
    result = result_of(night)
    assert (result.status, result.attempt) == (Status.FAILED, 1)
    assert result.reason == "word 3; explaining it was cut after 1 s"
    assert (result.programs, result.mismatches) == (1, ("word 3",))
    assert result in told
    assert attempts(night) == 1
    other = night.result(night.plan.jobs[1])
    assert other is not None
    assert (other.status, other.attempt) == (Status.PASSED, 1), "no other job suffers"


def test_a_job_that_is_stuck_without_a_verdict_took_too_long(tmp_path: Path, engine: LocalEngine) -> None:
    night = night_of(tmp_path, job("s-0", "sleep", seconds=600, timeout=LIMIT / TIMES))
    run_jobs_left(night, engine, simulate, lambda _: None)
    assert (result_of(night).status, result_of(night).reason) == (
        Status.TIMEOUT,
        "the job took more than 1 s",
    )
    assert not sleepers_of(night)


def test_reruns_and_the_closer_look_are_cut_too(tmp_path: Path, engine: LocalEngine) -> None:
    night = night_of(tmp_path, explained("a-0", "3"))
    run_jobs_left(night, engine, simulate, lambda _: None)
    list(run_failed_again(night, engine, simulate, pytest.fail))
    assert (result_of(night).status, result_of(night).reruns) == (Status.FAILED, RERUNS)
    assert attempts(night) == 1 + RERUNS
    list(look_closer(night, engine, simulate, pytest.fail))
    result = result_of(night)
    assert result.failure is not None
    assert result.failure.shrunk == "it is not shrunk: the closer look was cut after 1 s"
    assert (result.status, result.reason, result.reruns) == (Status.FAILED, "word 3", RERUNS)
    assert attempts(night) == 1 + RERUNS + 1
    assert not sleepers_of(night)


def test_a_job_whose_every_rerun_is_cut_has_been_run_again(tmp_path: Path, engine: LocalEngine) -> None:
    night = night_of(tmp_path, explained("a-0", "2", "3", "4"))
    run_jobs_left(night, engine, simulate, lambda _: None)
    (noted,) = run_failed_again(night, engine, simulate, pytest.fail)
    assert noted.reruns == RERUNS
    assert noted.cost == Cost()
    assert result_of(night).reruns == RERUNS
    assert attempts(night) == 1 + RERUNS


def test_a_rerun_that_kills_its_worker_does_not_undo_the_one_before(
    tmp_path: Path, engine: LocalEngine
) -> None:
    night = night_of(tmp_path, explained("a-0", dies="3"))
    run_jobs_left(night, engine, simulate, lambda _: None)
    list(run_failed_again(night, engine, simulate, pytest.fail))
    assert result_of(night).reruns == RERUNS
    assert attempts(night) == 1 + RERUNS + 1, "the one that died, and is none"


def test_nothing_is_done_once_the_time_is_over(tmp_path: Path) -> None:
    process = get_context("fork").Process(target=_end_late, args=[tmp_path])
    process.start()
    process.join(60)
    assert process.exitcode == -SIGKILL
    assert [path.name for path in tmp_path.iterdir()] == ["recorded"]


def _end_late(directory: Path) -> None:
    def record() -> None:
        time.sleep(0.5)
        (directory / "recorded").touch()

    with limited(0.1, record):
        time.sleep(0.3)
    (directory / "went on").touch()


def test_a_failure_outlives_workers_that_die_while_it_is_explained(
    tmp_path: Path, engine: LocalEngine
) -> None:
    night = night_of(tmp_path, explained("a-0", dies=True))
    told: list[JobResult] = []
    run_jobs_left(night, engine, simulate, told.append)
    assert attempts(night) == 3
    (result,) = told
    assert result == result_of(night)
    assert (result.status, result.attempt) == (Status.FAILED, 3)
    assert result.reason == "word 3; not explained, for the process that ran it died each time"


def test_a_failure_that_does_not_show_again_after_its_worker_died_is_flaky(
    tmp_path: Path, engine: LocalEngine
) -> None:
    night = night_of(tmp_path, explained("a-0", flaky=True, dies="1"))
    run_jobs_left(night, engine, simulate, lambda _: None)
    assert (result_of(night).status, result_of(night).attempt) == (Status.FAILED, 1)
    assert not list((night.directory / "coverage").iterdir()), "that of the attempt that passed"
    list(run_failed_again(night, engine, simulate, pytest.fail))
    assert result_of(night).status is Status.FLAKY
