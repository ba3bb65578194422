"""Runs a night on an engine: what is missing of it, what failed again, then a closer look at each bucket."""

from __future__ import annotations

import errno
import traceback
from collections.abc import Callable, Iterator

from refmodel.errors import Ga2Error
from regressions.nightly.attempt import (
    RESULTS,
    Assignment,
    Simulate,
    carry_out,
    last_verdict,
    look_closer_at,
    run_again,
)
from regressions.nightly.buckets import sort_into_buckets
from regressions.nightly.engine import Ended, Engine, run_jobs
from regressions.nightly.job import NightJob
from regressions.nightly.night import Night
from regressions.nightly.reruns import chosen_for_reruns
from regressions.nightly.result import JobResult, Status, write_result

NOWHERE_TO_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""Errors that say nothing of a job."""

OnResult = Callable[[JobResult], None]

OnProblem = Callable[[str], None]
"""Is told, in a sentence, what becomes of no result."""


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


def run_failed_again(
    night: Night, engine: Engine, simulate: Simulate, on_problem: OnProblem
) -> Iterator[JobResult]:
    """Run jobs that did not pass again, to tell flaky ones from others; yield what is known then.

    The cost of each is that of the reruns. Raises Ga2Error when a result cannot be written.
    """
    chosen = chosen_for_reruns(result for _, result in night.results() if result is not None)
    assignments = ((job.name, Assignment(job, night.directory, simulate)) for job in chosen)
    for ended in run_jobs(engine, run_again, assignments):
        if isinstance(ended.error, Ga2Error):
            raise ended.error
        if ended.result is not None:
            yield ended.result
        else:
            on_problem(f"{ended.name} could not be run again: {_why(ended)}")


def look_closer(
    night: Night, engine: Engine, simulate: Simulate, on_problem: OnProblem
) -> Iterator[JobResult]:
    """Show and shrink one failure of each bucket, that of the smallest seed; yield what is known then.

    What keeps one from being looked at, even that there is no space left, is told and keeps no other.
    """
    failed = [result for _, result in night.results() if result is not None and _is_to_be_shown(result)]
    firsts = [bucket.first for bucket in sort_into_buckets(failed)]
    jobs = [first.job for first in firsts if first.failure is not None and not first.failure.shrunk]
    assignments = ((job.name, Assignment(job, night.directory, simulate)) for job in jobs)
    for ended in run_jobs(engine, look_closer_at, assignments):
        if ended.result is not None:
            yield ended.result
        else:
            on_problem(f"{ended.name} could not be looked at closer: {_why(ended)}")


def workers_of_use(night: Night) -> int:
    """Return how many workers at most will have something to do at once."""
    left = [job for job in jobs_left(night) if not job.skip]
    failed = chosen_for_reruns(result for _, result in night.results() if result is not None)
    return max(1, len(left), len(failed))


def _is_to_be_shown(result: JobResult) -> bool:
    return result.diverges and result.status is not Status.FLAKY


def _why(ended: Ended) -> str:
    if isinstance(ended.error, Ga2Error):
        return str(ended.error)
    if ended.error is not None:
        return "the bench failed: " + "".join(traceback.format_exception_only(ended.error)).strip()
    return ended.lost


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
    status = Status.KILLED if ended.error is None else Status.CRASHED
    result = verdict or JobResult(job, status, _why(ended))
    write_result(night.directory / RESULTS, result)
    return result
