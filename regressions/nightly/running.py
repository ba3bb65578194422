"""Runs a night on an engine: what is missing of it, what failed again, then a closer look at each bucket."""

from __future__ import annotations

import errno
import traceback
from collections.abc import Callable, Iterator

from refmodel.errors import Ga2Error
from regressions.nightly.attempt import (
    RERUNS,
    RESULTS,
    Assignment,
    Simulate,
    carry_out,
    last_verdict,
    run_again,
)
from regressions.nightly.buckets import sort_into_buckets
from regressions.nightly.engine import Ended, Engine, run_jobs
from regressions.nightly.job import NightJob
from regressions.nightly.night import Night
from regressions.nightly.result import JobResult, Status, write_result

NOWHERE_TO_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""Errors that say nothing of a job."""

OnResult = Callable[[JobResult], None]


def jobs_left(night: Night) -> list[NightJob]:
    """Return the jobs that have no result worth keeping."""
    return [job for job, result in night.results() if result is None or not result.says_something]


def run_jobs_left(night: Night, engine: Engine, simulate: Simulate, on_result: OnResult) -> None:
    """Run what is missing; whatever becomes of a job is a result.

    Raises Ga2Error when one cannot be written.
    """
    left = jobs_left(night)
    for job in left:
        if job.skip:
            result = JobResult(job, Status.SKIPPED, job.skip)
            write_result(night.directory / RESULTS, result)
            on_result(result)
    to_run = {job.name: job for job in left if not job.skip}
    assignments = ((name, Assignment(job, night.directory, simulate)) for name, job in to_run.items())
    for ended in run_jobs(engine, carry_out, assignments):
        result = ended.result or _without_result(night, to_run[ended.name], ended)
        on_result(result)


def run_failed_again(night: Night, engine: Engine, simulate: Simulate) -> Iterator[JobResult]:
    """Run every job that did not pass again, to tell flaky ones from others; yield what is known then.

    The cost of each is that of the reruns. Raises Ga2Error when a result cannot be written.
    """
    wanted = (Status.FAILED, Status.TIMEOUT, Status.CRASHED)
    failed = [
        job
        for job, result in night.results()
        if result and result.status in wanted and result.reruns < RERUNS
    ]
    assignments = ((job.name, Assignment(job, night.directory, simulate)) for job in failed)
    for ended in run_jobs(engine, run_again, assignments):
        if isinstance(ended.error, Ga2Error):
            raise ended.error
        if ended.result is not None:
            yield ended.result


def look_closer(night: Night, engine: Engine, simulate: Simulate) -> Iterator[JobResult]:
    """Show and shrink one failure of each bucket, that of the smallest seed; yield what is known then."""
    failed = [result for _, result in night.results() if result is not None and _diverges(result)]
    firsts = [bucket.first.job for bucket in sort_into_buckets(failed) if not _is_shrunk(bucket.first)]
    assignments = ((job.name, Assignment(job, night.directory, simulate, deeply=True)) for job in firsts)
    for ended in run_jobs(engine, carry_out, assignments):
        if ended.result is not None:
            yield ended.result


def _diverges(result: JobResult) -> bool:
    is_known = result.failure is not None and result.failure.kind is not None
    return is_known and result.status is not Status.FLAKY


def _is_shrunk(result: JobResult) -> bool:
    return result.failure is not None and bool(result.failure.shrunk)


def _without_result(night: Night, job: NightJob, ended: Ended) -> JobResult:
    """Return and write what is said of a job that brought no result itself."""
    if isinstance(ended.error, Ga2Error):
        raise ended.error
    if isinstance(ended.error, OSError) and ended.error.errno in NOWHERE_TO_WRITE:
        raise Ga2Error(f"{ended.error.filename or night.directory}: {ended.error.strerror}") from ended.error
    written = night.result(job)
    if written is not None and written.says_something:
        return written  # its worker died between writing it and telling of it
    verdict = last_verdict(night.directory, job)
    if verdict is not None:
        result = verdict
    elif ended.error is not None:
        told = "".join(traceback.format_exception_only(ended.error)).strip()
        result = JobResult(job, Status.CRASHED, f"the bench failed: {told}")
    else:
        result = JobResult(job, Status.KILLED, ended.lost)
    write_result(night.directory / RESULTS, result)
    return result
