"""What a worker does with a job: a directory for every attempt, and one result, complete or not there."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.nightly.job import NightJob
from regressions.nightly.result import Cost, JobResult, Status, read_result, write_result

ATTEMPTS, RESULTS = "attempts", "results"

PARTS = ("coverage", "code-coverage", "failures")
"""Directories that a simulation finds beside its own, for what it leaves for good."""

RERUNS = 3
"""So often a job that has not passed is run again, until it passes."""

Simulate = Callable[[NightJob, Path, Path, bool], JobResult]
"""As `simulating.simulate`."""


@dataclass(frozen=True)
class Assignment:
    """A job on its way to a worker."""

    job: NightJob
    night: Path
    """The night's directory."""
    simulate: Simulate


class NotShownAgainError(Ga2Error):
    """A failure that was to be looked at closer, and did not show."""


def carry_out(assignment: Assignment) -> JobResult:
    """Run a job and write its result. Raises Ga2Error when there is nowhere to write.

    A job that has a result already, since its worker died between writing it and telling of it, does not run
    again.
    """
    job, results = assignment.job, assignment.night / RESULTS
    before = read_result(results, job)
    if before is not None and before.says_something:
        return before
    directory, number = _new_attempt(assignment)
    result = replace(assignment.simulate(job, directory, assignment.night, False), attempt=number)
    write_result(results, result)
    if result.status is Status.PASSED:
        shutil.rmtree(directory.parent, ignore_errors=True)
    return result


def look_closer_at(assignment: Assignment) -> JobResult:
    """Run a job that diverged again, show and shrink its failure, and write the result that tells of it.

    Raises NotShownAgainError unless it diverges again: then the result stays as it was. Raises Ga2Error when
    there is nowhere to write.
    """
    job, results = assignment.job, assignment.night / RESULTS
    before = read_result(results, job)
    assert before is not None
    directory, number = _new_attempt(assignment)
    result = assignment.simulate(job, directory, assignment.night, True)
    if result.status is not before.status or not result.diverges:
        told = f": {result.reason}" if result.reason else ""
        raise NotShownAgainError(f"attempt {number} did not show the same, but {result.status}{told}")
    result = replace(result, attempt=number, reruns=before.reruns)
    write_result(results, result)
    return result


def run_again(assignment: Assignment) -> JobResult:
    """Run a job that has not passed again, and note in its result whether it is flaky.

    What the reruns leave stays with their attempts: a flaky job covers nothing. The cost that is returned is
    that of the reruns; on the disk the job keeps its own. Raises Ga2Error when there is nowhere to write.
    """
    results = assignment.night / RESULTS
    noted = read_result(results, assignment.job)
    assert noted is not None
    costs: list[Cost] = []
    while len(costs) < RERUNS and noted.status is not Status.FLAKY:
        directory, number = _new_attempt(assignment)
        again = assignment.simulate(assignment.job, directory, directory, False)
        costs.append(again.cost)
        if again.status is Status.PASSED:
            noted = replace(noted, status=Status.FLAKY, flaky_status=noted.status, passed_in=number)
    noted = replace(noted, reruns=len(costs))
    write_result(results, noted)
    return replace(noted, cost=_sum(costs))


def _sum(costs: Sequence[Cost]) -> Cost:
    return Cost(
        sum(cost.seconds for cost in costs),
        sum(cost.simulation_cpu for cost in costs),
        sum(cost.bench_cpu for cost in costs),
    )


def _new_attempt(assignment: Assignment) -> tuple[Path, int]:
    """Make a directory that no earlier attempt has, though its worker may still be writing there."""
    attempts = assignment.night / ATTEMPTS / assignment.job.name
    try:
        attempts.mkdir(parents=True, exist_ok=True)
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
