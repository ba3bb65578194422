"""A night as text: what it would run, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from regressions.failure_lines import capped, shown_path
from regressions.nightly.buckets import Bucket
from regressions.nightly.cost import NightCost
from regressions.nightly.job import NightJob
from regressions.nightly.night import Night
from regressions.nightly.outcome import Outcome
from regressions.nightly.report import SUMMARY, picture_of, reproduction, rerun_command
from regressions.nightly.reruns import OF_A_BUCKET, OF_A_NIGHT
from regressions.nightly.result import Status
from verif.simulation.chip import Chip

BUCKETS_SHOWN = 20


def job_lines(jobs: Sequence[NightJob]) -> Iterator[str]:
    """Yield what would run, one job a line."""
    rows = [("job", "test", "build", "seed", "timeout", "tags")]
    for job in jobs:
        remarks = [*job.tags, *([f"skipped: {job.skip}"] if job.skip else [])]
        timeout = f"{job.timeout:g} s"
        rows.append((job.name, job.test, job.build, str(job.seed), timeout, ", ".join(remarks)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def outcome_lines(night: Night, outcome: Outcome, cost: NightCost) -> Iterator[str]:
    """Yield the summary of a night, problems last."""
    for bucket in outcome.buckets[:BUCKETS_SHOWN]:
        yield from _bucket_lines(night, bucket)
    rest = len(outcome.buckets) - BUCKETS_SHOWN
    if rest > 0:
        yield f"{rest} more buckets in {shown_path(night.directory / SUMMARY)}"
    dependent = [str(each) for each in outcome.sweep.dependent]
    yield from capped(dependent, BUCKETS_SHOWN, shown_path(night.directory / SUMMARY))
    for each in outcome.sweep.dependent[:1]:
        yield f"    see it again: {rerun_command(night, each.stimulus)}"
    yield from capped(list(outcome.drifts), BUCKETS_SHOWN, shown_path(night.directory / SUMMARY))
    yield from (f"warning: {each}" for each in outcome.warnings)
    yield from Chip.from_variables(night.plan.chip).not_compared
    statuses = ", ".join(
        f"{outcome.statuses[status]} {status}" for status in Status if outcome.statuses[status]
    )
    yield (
        f"{statuses or 'no result'}; {outcome.programs:,} programs, {outcome.comparisons:,} comparisons in "
        f"{cost.seconds:.0f} s, cores {cost.busy:.0%} busy, at most {cost.memory / 1e6:,.0f} MB a job"
    )
    if outcome.sweep.compared:
        yield f"initial states compared: {outcome.sweep.compared} stimuli"
    not_compared = [str(each) for each in outcome.sweep.not_compared]
    yield from capped(not_compared, BUCKETS_SHOWN, shown_path(night.directory / SUMMARY))
    if outcome.not_run_again:
        yield (
            f"{outcome.not_run_again} jobs that have not passed were not run again: at most {OF_A_BUCKET} of "
            f"a bucket are, and {OF_A_NIGHT} of a night"
        )
    yield f"seed {night.plan.base_seed}; results in {shown_path(night.directory)}"


def _bucket_lines(night: Night, bucket: Bucket) -> Iterator[str]:
    first = bucket.first
    times = f"{len(bucket.results)} {'job' if len(bucket.results) == 1 else 'jobs'}"
    yield f"{times} on {' and '.join(bucket.simulators)}: {bucket.signature}"
    tried = {"flaky": bucket.flaky, "not run again": bucket.not_run_again}
    if any(tried.values()):
        yield "    of these " + ", ".join(f"{number} {what}" for what, number in tried.items() if number)
    yield f"    first: {first.job.name}, seed {first.job.seed}"
    if first.failure is not None:
        yield from (f"    {line}" for line in (first.failure.explanation, first.failure.shrunk) if line)
    picture = picture_of(bucket)
    if picture is not None:
        yield f"    picture: {Path(picture)}"
    yield f"    see it again: {reproduction(night, first)}"
