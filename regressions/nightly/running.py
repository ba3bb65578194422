"""Runs a night on an engine: what is missing of it, what failed again, then a closer look at each bucket."""

from __future__ import annotations

import errno
import shutil
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from refmodel.errors import Ga2Error
from regressions.nightly.attempt import (
    ATTEMPTS,
    RERUNS,
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
from regressions.nightly.result import Cost, JobResult, Status, forget_result, write_result
from verif.sources import SourcesError, require_sources

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

    Raises Ga2Error when one cannot be written, SourcesError at the first job that cannot be proven to come
    from the night's sources: it has no result.
    """
    left = jobs_left(night)
    for job in left:
        forget_result(night.directory / RESULTS, job)  # that of an earlier call, of which nothing follows
        if job.skip:
            result = JobResult(job, Status.SKIPPED, job.skip)
            write_result(night.directory / RESULTS, result)
            on_result(result)
    to_run = {job.name: job for job in left if not job.skip}
    assignments = _assignments(to_run.values(), night, engine, simulate)
    for ended in run_jobs(engine, carry_out, assignments):
        result = ended.result or _without_result(night, to_run[ended.name], ended)
        on_result(result)


def run_failed_again(
    night: Night, engine: Engine, simulate: Simulate, on_problem: OnProblem
) -> Iterator[JobResult]:
    """Run jobs that did not pass again, to tell flaky ones from others; yield what is known then.

    The cost of each is that of the reruns, as far as that is known. Raises Ga2Error when a result cannot be
    written.
    """
    chosen = {job.name: job for job in _to_run_again(night)}
    assignments = _assignments(chosen.values(), night, engine, simulate)
    for ended in run_jobs(engine, run_again, assignments):
        if isinstance(ended.error, Ga2Error):
            raise ended.error
        noted = ended.result or _cut_each_time(night, chosen[ended.name])
        if noted is not None:
            yield noted
        else:
            on_problem(f"{ended.name} could not be run again: {_why(ended)}")


def look_closer(
    night: Night, engine: Engine, simulate: Simulate, on_problem: OnProblem
) -> Iterator[JobResult]:
    """Show and shrink one failure of each bucket, that of the smallest seed; yield what is known then.

    A failure that cannot be looked at, for example because the disk is full, is reported; the others still
    are. Raises SourcesError when the night's sources changed.
    """
    assignments = _assignments(_to_look_at(night), night, engine, simulate)
    for ended in run_jobs(engine, look_closer_at, assignments):
        if ended.result is not None:
            yield ended.result
        elif isinstance(ended.error, SourcesError):
            raise ended.error
        else:
            on_problem(f"{ended.name} could not be looked at closer: {_why(ended)}")


def workers_of_use(night: Night) -> int:
    """Return how many workers at most will have something to do at once."""
    left = [job for job in jobs_left(night) if not job.skip]
    return max(1, len(left), len(_to_run_again(night)), len(_to_look_at(night)))


def _assignments(
    jobs: Iterable[NightJob], night: Night, engine: Engine, simulate: Simulate
) -> Iterator[tuple[str, Assignment]]:
    return (
        (job.name, Assignment(job, night.directory, simulate, night.plan.sources, engine.memory))
        for job in jobs
    )


def _to_run_again(night: Night) -> list[NightJob]:
    return chosen_for_reruns(result for _, result in night.results() if result is not None)


def _to_look_at(night: Night) -> list[NightJob]:
    """Return the jobs of which a failure has to be shown, one of each bucket."""
    failed = [result for _, result in night.results() if result is not None and _is_to_be_shown(result)]
    firsts = [bucket.first for bucket in sort_into_buckets(failed)]
    return [first.job for first in firsts if first.failure is not None and not first.failure.shrunk]


def _is_to_be_shown(result: JobResult) -> bool:
    return result.diverges and result.status is not Status.FLAKY


def _cut_each_time(night: Night, job: NightJob) -> JobResult | None:
    """Return the result of a job whose workers ended because its reruns, every one, took too long."""
    noted = night.result(job)
    return replace(noted, cost=Cost()) if noted is not None and noted.reruns == RERUNS else None


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
    if written is not None:
        return written  # its worker died after writing it, or was ended by a limit
    try:
        require_sources(night.plan.sources)
    except SourcesError:  # it may have been a worker that could not load what was half edited
        shutil.rmtree(night.directory / ATTEMPTS / job.name, ignore_errors=True)
        raise
    if isinstance(ended.error, (ImportError, SyntaxError)):
        raise Ga2Error(f"a worker cannot load the bench: {_why(ended)}") from ended.error
    status = Status.KILLED if ended.error is None else Status.CRASHED
    why = _why(ended)
    result = last_verdict(night.directory, job, why) or JobResult(
        job, status, why, is_bench_error=ended.error is not None
    )
    write_result(night.directory / RESULTS, result)
    return result
