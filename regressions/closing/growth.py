"""How coverage grew: by round, and simulation by simulation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from regressions.closing.campaign import Campaign
from regressions.closing.job import Job
from regressions.closing.job_runner import JobRunner


@dataclass(frozen=True)
class Growth:
    """What was covered at one moment."""

    simulations: int
    """How many had ended."""
    seconds: float
    """How long the campaign had been at work, interruptions left out."""
    hit: Mapping[str, int]
    """Bins by family."""


def by_round(campaign: Campaign) -> list[Growth]:
    """Return what was covered after each round, the base first; only the seconds differ from time to time."""
    runner = campaign.runner
    return [_growth(runner, runner.jobs[:end]) for end in campaign.ends]


def over_time(runner: JobRunner) -> list[Growth]:
    """Return what was covered when each simulation ended, in the order in which they did."""
    ended = sorted(runner.jobs, key=lambda job: runner.finished(job).ended)
    return [_growth(runner, ended[:count]) for count in range(1, len(ended) + 1)]


def _growth(runner: JobRunner, jobs: Sequence[Job]) -> Growth:
    covered = set[int]().union(*(runner.hits(job).bins for job in jobs))
    seconds = max(runner.finished(job).ended for job in jobs)
    return Growth(len(jobs), seconds, _by_family(runner, covered))


def _by_family(runner: JobRunner, covered: Iterable[int]) -> dict[str, int]:
    families = [item.family for item in runner.model for _ in range(item.size)]
    hit = dict.fromkeys(families, 0)
    for number in covered:
        hit[families[number]] += 1
    return hit
