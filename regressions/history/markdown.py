"""A night in Markdown, for the page that a CI server shows beside a run (docs/ci.md)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from refmodel.printable import printable
from regressions.history.document import BucketDocument, NightDocument
from regressions.history.failures import RecordedFailure, State
from regressions.nightly.buckets import Signature
from regressions.nightly.result import Status
from regressions.nightly.verdict import coverage_words

SHOWN = 20
"""Buckets, and lines of any other kind, that are told; servers take a page of some size only."""

LONGEST = 400
"""Characters of a sentence that somebody's RTL or simulator had a part in."""

_MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+!|~&@:$.=-])")


def night_markdown(night: NightDocument, failures: Sequence[RecordedFailure] | str) -> Iterator[str]:
    """Yield a page, line by line: verdict, statuses, failures, coverage.

    `failures` is what the history says of the night's buckets, or why it says nothing.
    """
    yield f"## {night.verdict.sign} {escaped(night.list)}: {escaped(str(night.verdict))}"
    yield ""
    covered = coverage_words(night.coverage.hit, night.coverage.bins)
    if covered:
        yield escaped(covered)
        yield ""
    yield from _bullets(night.problems)
    yield from _statuses(night)
    known = {} if isinstance(failures, str) else {each.signature: each for each in failures}
    if isinstance(failures, str):
        yield f"What is new is not known: {escaped(failures)}"
        yield ""
    for bucket in night.buckets[:SHOWN]:
        yield from _bucket(night, bucket, known)
    if len(night.buckets) > SHOWN:
        yield f"{len(night.buckets) - SHOWN} more buckets are in summary.json."
        yield ""
    for dependence in night.initial_states.dependent[:SHOWN]:
        yield from _failure(escaped(dependence.sentence), "", dependence.reproduce)
    gone = [each for each in known.values() if each.state in (State.FIXED, State.UNSEEN)]
    yield from _bullets([f"{each.state}: {each.signature}" for each in gone])
    yield from _bullets([*night.drifts, *(f"warning: {each}" for each in night.warnings)])


def escaped(text: str) -> str:
    """Return text as Markdown that shows it as it is, in one line, cut where it is very long."""
    return _MARKUP.sub(r"\\\1", printable(" ".join(text.split()), LONGEST))


def _statuses(night: NightDocument) -> Iterator[str]:
    counts = Counter(job.status for job in night.jobs)
    shown = [(status.value, counts[status.value]) for status in Status if counts[status.value]]
    shown += [("no result", counts[None])] if counts[None] else []
    if shown:
        yield f"| {' | '.join(name for name, _ in shown)} |"
        yield f"|{' ---: |' * len(shown)}"
        yield f"| {' | '.join(f'{count:,}' for _, count in shown)} |"
        yield ""
    yield (
        f"{night.programs:,} programs and {night.comparisons:,} comparisons in {night.cost.seconds:,.0f} s. "
        f"Seed {night.base_seed}, commit {escaped(night.commit)}, {escaped(night.night)}"
    )
    yield ""


def _bucket(
    night: NightDocument, bucket: BucketDocument, known: Mapping[Signature, RecordedFailure]
) -> Iterator[str]:
    signature = Signature(bucket.kind, bucket.unit, bucket.opcode, bucket.role)
    simulators = sorted({job.simulator for job in night.jobs if job.name in bucket.jobs})
    jobs = f"{len(bucket.jobs)} {'job' if len(bucket.jobs) == 1 else 'jobs'} on {' and '.join(simulators)}"
    failure = known.get(signature)
    state = f"{failure.state}: " if failure else ""
    told = [bucket.explanation, bucket.shrunk, f"first: {bucket.job}, seed {bucket.seed}"]
    if failure and failure.state is State.KNOWN:
        told.append(f"since {failure.since.name}, commit {failure.since.revision}")
    title = f"{state}{signature}; {jobs}"
    yield from _failure(escaped(title), "  \n".join(escaped(each) for each in told if each), bucket.reproduce)


def _failure(title: str, told: str, reproduce: str) -> Iterator[str]:
    yield f"### {title}"
    yield ""
    if told:
        yield told
        yield ""
    yield from ("```", reproduce, "```", "")  # a command is one line, and begins with no backquote


def _bullets(sentences: Sequence[str]) -> Iterator[str]:
    yield from (f"- {escaped(each)}" for each in sentences[:SHOWN])
    if len(sentences) > SHOWN:
        yield f"- and {len(sentences) - SHOWN} more"
    if sentences:
        yield ""
