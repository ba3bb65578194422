"""What a worker does with a job: a directory for every attempt, and one result, complete or not there."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.nightly.job import NightJob
from regressions.nightly.result import JobResult, Status, read_result, write_result

ATTEMPTS, RESULTS = "attempts", "results"

Simulate = Callable[[NightJob, Path, Path, bool], JobResult]
"""As `simulating.simulate`."""


@dataclass(frozen=True)
class Assignment:
    """A job on its way to a worker."""

    job: NightJob
    night: Path
    """The night's directory."""
    simulate: Simulate
    deeply: bool = False
    """Is its failure, which is known already, to be shown and shrunk too?"""


def carry_out(assignment: Assignment) -> JobResult:
    """Run a job and write its result. Raises Ga2Error when there is nowhere to write.

    A job that has a result already, since its worker died between writing it and telling of it, does not run
    again. Looking closer at a failure must not lose it: unless it shows again, the result stays as it was.
    """
    job, results = assignment.job, assignment.night / RESULTS
    attempts = assignment.night / ATTEMPTS / job.name
    before = read_result(results, job)
    if before is not None and before.says_something and not assignment.deeply:
        return before
    try:
        directory, number = _new_attempt(attempts)
    except OSError as error:
        raise Ga2Error(f"{attempts} cannot be written: {error.strerror}") from error
    result = replace(assignment.simulate(job, directory, assignment.night, assignment.deeply), attempt=number)
    if assignment.deeply and before is not None and result.status is not before.status:
        return before
    write_result(results, result)
    if result.status is Status.PASSED:
        shutil.rmtree(attempts, ignore_errors=True)
    return result


def _new_attempt(attempts: Path) -> tuple[Path, int]:
    """Make a directory that no earlier attempt has, though its worker may still be writing there."""
    attempts.mkdir(parents=True, exist_ok=True)
    for number in count(1):
        directory = attempts / str(number)
        try:
            directory.mkdir()
        except FileExistsError:
            continue
        return directory, number
    raise AssertionError("there is always a next number")
