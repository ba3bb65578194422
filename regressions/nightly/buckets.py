"""Failures with the same first divergence, together: each is told once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from regressions.nightly.result import JobResult, Status

_DETAIL = re.compile(r"0x[0-9a-f]+|/\S+|\d+")
"""Places and numbers, which differ between two failures of the same cause."""


@dataclass(frozen=True)
class Signature:
    """What failures of one bucket have in common."""

    kind: str
    """Of the divergence; where there is none, the status."""
    unit: str = ""
    opcode: str = ""
    role: str = ""
    """The kind of node, or the operand; where nothing diverges, the reason without its numbers."""

    def __str__(self) -> str:
        """Render it for people."""
        return ", ".join(filter(None, [self.kind.replace("_", " "), self.unit, self.opcode, self.role]))


@dataclass(frozen=True)
class Bucket:
    """All failures of one signature."""

    signature: Signature
    results: Sequence[JobResult]
    """By seed, the smallest first."""

    @property
    def first(self) -> JobResult:
        """The one that stands for all: of the smallest seed."""
        return self.results[0]

    @property
    def simulators(self) -> list[str]:
        """Where it shows."""
        return sorted({result.job.simulator for result in self.results})

    @property
    def flaky(self) -> int:
        """How many of its jobs passed when they were run again."""
        return sum(result.status is Status.FLAKY for result in self.results)

    @property
    def not_run_again(self) -> int:
        """Of how many of its jobs nobody tried whether they would pass."""
        return sum(result.was_not_run_again for result in self.results)


def without_numbers(text: str) -> str:
    """Return a message without the places and numbers that differ between two failures of one cause."""
    return _DETAIL.sub("…", text)


def signature_of(result: JobResult) -> Signature:
    """Return what a failure is told apart by."""
    failure = result.failure
    if failure is None or failure.kind is None:
        return Signature((result.flaky_status or result.status).value, role=without_numbers(result.reason))
    return Signature(failure.kind, failure.unit or "", failure.opcode or "", failure.role or "")


def sort_into_buckets(results: Iterable[JobResult]) -> list[Bucket]:
    """Return the failures among the results in buckets, the fullest first."""
    found: dict[Signature, list[JobResult]] = {}
    for result in results:
        if result.status not in (Status.PASSED, Status.SKIPPED):
            found.setdefault(signature_of(result), []).append(result)
    buckets = [
        Bucket(signature, sorted(each, key=lambda result: (result.job.seed, result.job.name)))
        for signature, each in found.items()
    ]
    return sorted(buckets, key=lambda bucket: (-len(bucket.results), str(bucket.signature)))
