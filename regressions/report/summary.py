"""A night as its report needs it: summary.json, or what a night without one has left so far."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from regressions.history.database import HistoryError
from regressions.history.document import (
    BucketDocument,
    CostDocument,
    Count,
    JobDocument,
    NightDocument,
    read_night,
)
from regressions.nightly.attempt import RESULTS
from regressions.nightly.cost import NOTHING
from regressions.nightly.night import Night, NightError, open_night
from regressions.nightly.outcome import outcome_of
from regressions.nightly.report import SUMMARY, summary_of
from regressions.testplan.plan import load_plan
from verif.shell_line import command_line


class ReportedJob(JobDocument):
    """One job."""

    attempt: Count = 1
    reruns: Count = 0


class ReportedBucket(BucketDocument):
    """Failures with one signature."""

    count: Count
    simulators: tuple[str, ...]
    folder: str | None
    picture: str | None


class ReportedCost(CostDocument):
    """What the night took; all of it 0 where that was not written down."""

    cpu: float = 0.0
    simulation_cpu: float = 0.0
    bench_cpu: float = 0.0
    cores: Count = 0
    busy: float = 0.0
    overhead: float = 0.0


class NightSummary(NightDocument):
    """A whole night; more of it than the history keeps."""

    statuses: dict[str, Count]
    unmapped: tuple[str, ...] = ()
    drifts: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    buckets: tuple[ReportedBucket, ...]
    cost: ReportedCost
    jobs: tuple[ReportedJob, ...]


@dataclass(frozen=True)
class ReportedNight:
    """A night with its directory."""

    directory: Path
    summary: NightSummary
    ended: bool
    """Has it written its summary? Otherwise it is running, or was killed; this is what it has so far."""

    @cached_property
    def plan(self) -> Night | None:
        """What it was to do; None where only its summary is left. Raises NightError for a damaged one."""
        try:
            return open_night(self.directory)
        except NightError:
            if (self.directory / "night.json").is_file():
                raise
            return None


def read_reported(directory: Path) -> ReportedNight:
    """Return a night. Raises HistoryError for a damaged summary, NightError where nothing can be told."""
    if (directory / SUMMARY).exists():
        try:
            return ReportedNight(directory, read_night(directory, NightSummary), ended=True)
        except HistoryError as error:
            raise HistoryError(f"{error}; write it again: {_resume(directory)}") from error
    return ReportedNight(directory, _so_far(open_night(directory)), ended=False)


def _resume(directory: Path) -> str:
    return command_line("nightly", "--resume", directory)


def _so_far(night: Night) -> NightSummary:
    """Return the summary that a night would write now."""
    known = 0
    for job, result in night.results():
        path = night.directory / RESULTS / f"{job.name}.json"
        if result is None and path.exists():
            raise NightError(
                f"{path} is damaged, or of another job; remove it and run that job again: "
                f"{_resume(night.directory)}"
            )
        known += result is not None
    if not known:
        raise NightError(
            f"{night.directory}: no job of this night has a result yet; wait for it, or go on with it: "
            f"{_resume(night.directory)}"
        )
    outcome = outcome_of(night, load_plan())
    told = summary_of(night, outcome, NOTHING, {})
    # with which tools it runs is not written down before it ends
    return NightSummary.model_validate_json(json.dumps({**told, "tools": {}}))
