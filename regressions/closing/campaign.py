"""Runs jobs in rounds until nothing is missing, each round aimed at what the ones before have left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from regressions.closing.aim import Aim, Attempt
from regressions.closing.aims import aim_of
from regressions.closing.base import base_jobs
from regressions.closing.job import Job
from regressions.closing.job_runner import JobRunner
from regressions.coverage.summary import Summary

MOST_ROUNDS = 6
"""Rounds that are aimed; what is missing after them has resisted."""


@dataclass(frozen=True)
class Aimed:
    """One try at bins that were missing."""

    round: int
    aim: str
    """What was sent: `programs`, `loops`, ..."""
    wanted: frozenset[int]
    """The bins."""
    attempt: Attempt


@dataclass
class Campaign:
    """A closure: what was aimed at, and what is covered after each round."""

    runner: JobRunner
    aimed: list[Aimed] = field(default_factory=list)
    """Every try, in order."""
    ends: list[int] = field(default_factory=list)
    """How many jobs had run after each round, the base first."""

    def rounds(self) -> Iterator[Summary]:
        """Run one round after another and yield what is covered after each, until it is all or they end.

        Raises what `JobRunner.run` does.
        """
        yield self._round(list(base_jobs(self.runner.seed)))
        for number in range(1, MOST_ROUNDS + 1):
            jobs = list(self._jobs_of(number))
            if not jobs:
                return
            yield self._round(jobs)

    def _round(self, jobs: list[Job]) -> Summary:
        self.runner.run(jobs)
        self.ends.append(len(self.runner.jobs))
        return self.runner.summary()

    def _jobs_of(self, number: int) -> Iterator[Job]:
        """Yield the jobs of a round."""
        missing: dict[Aim, set[int]] = {}
        for each in self.runner.summary().items:
            if not each.met:
                bins = each.item.first + np.flatnonzero(each.missing)
                missing.setdefault(aim_of(each.item.family), set()).update(bins.tolist())
        for aim, numbers in missing.items():
            wanted, what = frozenset(numbers), aim.__name__.removeprefix("aim_at_")
            attempt = aim(self.runner.model, wanted, self.runner.seed + number)
            self.aimed.append(Aimed(number, what, wanted, attempt))
            for position, job in enumerate(attempt.jobs):
                yield replace(job, name=f"round-{number}-{what}-{position}")
