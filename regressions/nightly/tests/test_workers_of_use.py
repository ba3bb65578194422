"""No more workers are started than have something to do."""

from __future__ import annotations

from pathlib import Path

from regressions.nightly.attempt import RERUNS, RESULTS
from regressions.nightly.result import Failure, JobResult, Status, write_result
from regressions.nightly.running import workers_of_use
from regressions.nightly.tests.fakes import job
from regressions.nightly.tests.nights import begun, run


def test_as_many_as_jobs_are_left_or_have_to_be_run_again(tmp_path: Path) -> None:
    jobs = [*(job(f"a-{number}", kind="x") for number in range(5)), job("off-0", skip="broken")]
    night = begun(tmp_path, jobs)
    assert workers_of_use(night) == 5
    for each in jobs[:2]:
        write_result(night.directory / RESULTS, JobResult(each, Status.PASSED))
    assert workers_of_use(night) == 3
    for each in jobs[2:]:
        write_result(night.directory / RESULTS, JobResult(each, Status.TIMEOUT, "late"))
    assert workers_of_use(night) == 4, "all of these, the skipped one too, wait for their reruns"


def test_as_many_as_failures_have_to_be_looked_at_closer(tmp_path: Path) -> None:
    night = begun(tmp_path, [job(f"a-{number}") for number in range(4)])
    for number, each in enumerate(night.plan.jobs):
        failure = Failure("out/failures/x", "it differs", f"kind{number // 2}", None, None, None)
        result = JobResult(each, Status.FAILED, "word 3", failure=failure, reruns=RERUNS)
        write_result(night.directory / RESULTS, result)
    assert workers_of_use(night) == 2, "one for each bucket"


def test_one_at_least(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0")])
    run(night, tmp_path)
    assert workers_of_use(night) == 1
