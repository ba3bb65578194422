"""What each job of a campaign contributed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from regressions.closing.finished_job import FinishedJob
from regressions.closing.job import Job
from regressions.closing.job_runner import JobRunner


@dataclass(frozen=True)
class Contribution:
    """One job."""

    job: Job
    took: FinishedJob
    programs: int
    bins: int
    """Bins that it hit."""
    first: int
    """Those of them that no job before it had hit."""
    alone: int
    """Those of them that no other job hit."""


def contributions(runner: JobRunner) -> list[Contribution]:
    """Return them in the order of the jobs, which is the same each time whatever ended first."""
    hits = {job.name: frozenset(runner.hits(job).bins) for job in runner.jobs}
    jobs_that_hit = Counter(number for bins in hits.values() for number in bins)
    covered: set[int] = set()
    found = []
    for job in runner.jobs:
        bins = hits[job.name]
        found.append(
            Contribution(
                job=job,
                took=runner.finished(job),
                programs=runner.hits(job).programs,
                bins=len(bins),
                first=len(bins - covered),
                alone=sum(jobs_that_hit[number] == 1 for number in bins),
            )
        )
        covered |= bins
    return found
