"""What a job may take as a whole; a failure that is known is not lost, whatever becomes of explaining it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from signal import SIGKILL
from typing import Any

import psutil
import pytest

from regressions.nightly.attempt import RERUNS
from regressions.nightly.job import NightJob
from regressions.nightly.job_limit import TIMES, Excess, limited
from regressions.nightly.local_engine import LocalEngine, memory_of_a_job
from regressions.nightly.night import Night, begin_night, plan_now
from regressions.nightly.result import Cost, JobResult, Status
from regressions.nightly.running import jobs_left, look_closer, run_failed_again, run_jobs_left
from regressions.nightly.tests.fakes import job, simulate, sleepers_of
from regressions.nightly.tests.processes import processes_of

LIMIT = 1.0

TOOK = r"it took \d+ s of CPU time in \d+ s by the clock, of 1 s of CPU time"
"""The reason of a job that burns its CPU time."""


@pytest.fixture
def engine() -> Iterator[LocalEngine]:
    made = LocalEngine(1)
    yield made
    made.close()


def explained(name: str, *slow: str, **more: Any) -> NightJob:
    """Return a job that fails; in these attempts explaining that takes for ever."""
    return job(name, "explain", timeout=LIMIT / TIMES, slow=list(slow), kind="data", **more)


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
    assert re.fullmatch(f"word 3; explaining it was cut: {TOOK}", result.reason)
    assert (result.programs, result.mismatches) == (1, ("word 3",))
    assert result in told
    assert attempts(night) == 1
    other = night.result(night.plan.jobs[1])
    assert other is not None
    assert (other.status, other.attempt) == (Status.PASSED, 1), "no other job suffers"


def test_a_job_that_is_stuck_without_a_verdict_took_too_long(tmp_path: Path, engine: LocalEngine) -> None:
    night = night_of(tmp_path, job("s-0", "burn", timeout=LIMIT / TIMES))
    run_jobs_left(night, engine, simulate, lambda _: None)
    result = result_of(night)
    assert (result.status, result.attempt) == (Status.TIMEOUT, 1)
    assert re.fullmatch(f"the job was ended: {TOOK}", result.reason)
    assert not processes_of(night.directory)


def test_a_job_without_cpu_time_is_killed_by_the_clock_and_nothing_is_known(
    tmp_path: Path, engine: LocalEngine
) -> None:
    night = night_of(tmp_path, job("s-0", "sleep", seconds=600, timeout=0.1))
    run_jobs_left(night, engine, simulate, lambda _: None)
    result = result_of(night)
    assert (result.status, result.attempt) == (Status.KILLED, 1), "it is not begun again"
    took = r"it took 0 s of CPU time in \d+ s by the clock, of 4 s by the clock"
    assert re.fullmatch(f"the job was ended: {took}", result.reason)
    assert not sleepers_of(night)


def test_a_job_that_takes_too_much_memory_is_killed_and_others_go_on(
    tmp_path: Path, engine: LocalEngine
) -> None:
    jobs = [job("g-0", "grow", megabytes=2000), job("g-1", "grow", megabytes=200)]
    night = night_of(tmp_path, *jobs)
    engine.memory = 1_000_000_000
    run_jobs_left(night, engine, simulate, lambda _: None)
    large, small = (result for _, result in night.results() if result is not None)
    assert (large.status, large.attempt) == (Status.KILLED, 1), "it is not begun again"
    assert re.fullmatch(r"the job was ended: it took [12],\d+ MB of memory, of 1,000 MB", large.reason)
    assert (small.status, small.attempt) == (Status.PASSED, 1)
    assert 200e6 < small.cost.memory < 1e9
    assert not processes_of(night.directory)
    assert jobs_left(night) == [jobs[0]], "--resume runs it"
    engine.memory = 10_000_000_000
    run_jobs_left(night, engine, simulate, lambda _: None)
    assert result_of(night).status is Status.PASSED


@pytest.mark.parametrize(
    ("workers", "memory", "of_a_job"),
    [(1, 10, 9.0), (3, 10, 3.0), (9, 10, 1.0), (10, 10, 1.0), (1, 1, 1.0)],
)
def test_jobs_share_most_of_the_memory_but_each_has_enough(
    workers: int, memory: int, of_a_job: float
) -> None:
    """In GB."""
    assert memory_of_a_job(workers, memory * 10**9) == of_a_job * 10**9


def test_a_local_job_has_a_limit_of_its_memory(engine: LocalEngine) -> None:
    assert engine.memory is not None
    assert 10**9 <= engine.memory < max(1.1 * 10**9, psutil.virtual_memory().total)


def test_reruns_and_the_closer_look_are_cut_too(tmp_path: Path, engine: LocalEngine) -> None:
    night = night_of(tmp_path, explained("a-0", "3"))
    run_jobs_left(night, engine, simulate, lambda _: None)
    list(run_failed_again(night, engine, simulate, pytest.fail))
    assert (result_of(night).status, result_of(night).reruns) == (Status.FAILED, RERUNS)
    assert attempts(night) == 1 + RERUNS
    list(look_closer(night, engine, simulate, pytest.fail))
    result = result_of(night)
    assert result.failure is not None
    assert re.fullmatch(f"it is not shrunk: the closer look was cut: {TOOK}", result.failure.shrunk)
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
    def record(_: Excess) -> None:
        time.sleep(0.5)
        (directory / "recorded").touch()

    with limited(60, 1, record):
        time.sleep(0.4)
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
