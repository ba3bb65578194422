"""What a worker does with a job: a directory for every attempt, and one result, complete or not there."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.nightly.job import NightJob
from regressions.nightly.job_limit import Excess, limited
from regressions.nightly.result import Cost, JobResult, Status, read_result, write_result
from verif.sources import SourcesError, require_sources, unchanged_sources

ATTEMPTS, RESULTS = "attempts", "results"

PARTS = ("coverage", "code-coverage", "failures")
"""Directories that a simulation finds beside its own, for what it leaves for good."""

RERUNS = 3
"""So often a job that has not passed is run again, until it passes."""

Simulate = Callable[[NightJob, Path, Path, bool], JobResult]
"""As `simulating.simulate`: a failure is in its directory, as a result would be, before it is explained."""


@dataclass(frozen=True)
class Assignment:
    """A job on its way to a worker."""

    job: NightJob
    night: Path
    """The night's directory."""
    simulate: Simulate
    sources: Mapping[str, str]
    """Digests of the sources with which the night began: no others count."""
    memory: int | None = None
    """Bytes that the job may take; None: what the worker's machine gives it."""


class NotShownAgainError(Ga2Error):
    """A failure that was to be looked at closer, and did not show."""


def carry_out(assignment: Assignment) -> JobResult:
    """Run a job and write its result.

    Raises Ga2Error when that cannot be written, SourcesError when its sources are not those of the night:
    then it has no result, and its files are removed.

    A job that has a result already does not run again: its worker died after writing it, or was ended by a
    limit. A failure that is known must not be lost: unless it shows again, its result stays as it was.
    """
    job, results = assignment.job, assignment.night / RESULTS
    before = read_result(results, job)
    if before is not None:
        return before
    known = last_verdict(assignment.night, job, "its worker died meanwhile")
    directory, number = _new_attempt(assignment)

    def record(excess: Excess) -> None:
        require_sources(assignment.sources)
        write_result(results, _cut(directory, number, job, excess))

    try:
        with (
            limited(job.timeout, assignment.memory, record) as watch,
            unchanged_sources(assignment.sources),
        ):
            result = assignment.simulate(job, directory, assignment.night, False)
    except SourcesError:
        # Verdicts of earlier attempts are not proven either.
        shutil.rmtree(directory.parent, ignore_errors=True)
        _forget_coverage(assignment.night, job)
        raise
    result = replace(result, attempt=number, cost=replace(result.cost, memory=watch.peak))
    if known is not None and result.status is not known.status:
        if result.status is Status.PASSED:
            _forget_coverage(assignment.night, job)
        result = known
    write_result(results, result)
    if result.status is Status.PASSED:
        shutil.rmtree(directory.parent, ignore_errors=True)
    return result


def look_closer_at(assignment: Assignment) -> JobResult:
    """Run a job that diverged again, show and shrink its failure, and write the result that tells of it.

    The cost that is returned is that of the closer look; on the disk the job keeps its own. Raises
    NotShownAgainError unless it diverges again, SourcesError when its sources are not those of the night:
    then the result stays as it was. Raises Ga2Error when it cannot be written.
    """
    job, results = assignment.job, assignment.night / RESULTS
    before = read_result(results, job)
    assert before is not None
    assert before.failure is not None
    if before.failure.shrunk:
        return before  # its worker died between writing it and telling of it, or was cut
    directory, number = _new_attempt(assignment)

    def record(excess: Excess) -> None:
        write_result(results, _not_shrunk(before, excess))

    with limited(job.timeout, assignment.memory, record), unchanged_sources(assignment.sources):
        result = assignment.simulate(job, directory, assignment.night, True)
    if result.status is Status.PASSED:
        _forget_coverage(assignment.night, job)
    if result.status is not before.status or not result.diverges:
        told = f": {result.reason}" if result.reason else ""
        raise NotShownAgainError(f"attempt {number} did not show the same, but {result.status}{told}")
    result = replace(result, attempt=number, reruns=before.reruns)
    write_result(results, replace(result, cost=before.cost))
    return result


def run_again(assignment: Assignment) -> JobResult:
    """Run a job that has not passed again, and note in its result whether it is flaky.

    What the reruns leave stays with their attempts: a flaky job covers nothing. The cost that is returned is
    that of the reruns; on the disk the job keeps its own. Raises Ga2Error when it cannot be written,
    SourcesError when its sources are not those of the night.
    """
    job, results = assignment.job, assignment.night / RESULTS
    noted = read_result(results, job)
    assert noted is not None
    costs: list[Cost] = []
    while noted.reruns < RERUNS and noted.status is not Status.FLAKY:
        directory, number = _new_attempt(assignment)
        noted = replace(noted, reruns=noted.reruns + 1)
        with (
            limited(job.timeout, assignment.memory, partial(_write_noted, results, noted)) as watch,
            unchanged_sources(assignment.sources),
        ):
            again = assignment.simulate(job, directory, directory, False)
        costs.append(replace(again.cost, memory=watch.peak))
        if again.status is Status.PASSED:
            noted = replace(noted, status=Status.FLAKY, flaky_status=noted.status, passed_in=number)
        write_result(results, noted)  # each: a worker that dies in the next one does not begin anew
    return replace(noted, cost=_sum(costs))


def _write_noted(results: Path, noted: JobResult, _: Excess) -> None:
    write_result(results, noted)


def last_verdict(night: Path, job: NightJob, why: str) -> JobResult | None:
    """Return what a job has failed with that could not be explained, and `why`; None if it has not failed."""
    attempts = night / ATTEMPTS / job.name
    numbers = sorted((int(path.name) for path in attempts.glob("[0-9]*")), reverse=True)
    found = (_verdict_in(attempts / str(number), job, number) for number in numbers)
    verdict = next(filter(None, found), None)
    if verdict is None:
        return None
    return replace(verdict, reason=f"{verdict.reason}; not explained, for {why}")


def _verdict_in(directory: Path, job: NightJob, number: int) -> JobResult | None:
    verdict = read_result(directory, job)
    return None if verdict is None else replace(verdict, attempt=number)


def _cut(directory: Path, number: int, job: NightJob, excess: Excess) -> JobResult:
    """Return the result of a job that took too much as a whole: what it has failed with, as a rule."""
    verdict = _verdict_in(directory, job, number)
    if verdict is None:
        status = Status.KILLED if excess.is_of_machine else Status.TIMEOUT
        return JobResult(job, status, f"the job was ended: {excess.sentence}", attempt=number)
    return replace(verdict, reason=f"{verdict.reason}; explaining it was cut: {excess.sentence}")


def _not_shrunk(before: JobResult, excess: Excess) -> JobResult:
    """Return the result of a job whose closer look took too much."""
    assert before.failure is not None
    shrunk = f"it is not shrunk: the closer look was cut: {excess.sentence}"
    return replace(before, failure=replace(before.failure, shrunk=shrunk))


def _forget_coverage(night: Path, job: NightJob) -> None:
    for path in (night / "coverage" / f"{job.name}.json", night / "code-coverage" / f"{job.name}.dat"):
        path.unlink(missing_ok=True)


def _sum(costs: Sequence[Cost]) -> Cost:
    return Cost(
        sum(cost.seconds for cost in costs),
        sum(cost.simulation_cpu for cost in costs),
        sum(cost.bench_cpu for cost in costs),
        memory=max((cost.memory for cost in costs), default=0),
    )


def _new_attempt(assignment: Assignment) -> tuple[Path, int]:
    """Make a directory that no earlier attempt has, though its worker may still be writing there."""
    attempts = assignment.night / ATTEMPTS / assignment.job.name
    try:
        attempts.mkdir(exist_ok=True)  # alone: a night that somebody removed does not come back in parts
        for number in count(1):
            directory = attempts / str(number)
            try:
                directory.mkdir()
            except FileExistsError:
                continue
            for part in PARTS:  # where a rerun's go, which must not be taken for the job's
                (directory / part).mkdir()
            return directory, number
    except OSError as error:
        raise Ga2Error(f"{attempts} cannot be written: {error.strerror}") from error
    raise AssertionError("there is always a next number")
