"""Coverage databases: what runs hit, kept run by run, so that merging is a union of sets.

The union makes merging commutative, associative and idempotent, whatever the order and however often. A run
that failed anywhere counts nowhere. Everything that a report shows is worked out from the runs in the order
of their identities, so it depends on their set alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from verif.coverage.errors import CoverageError
from verif.coverage.model import CoverageModel
from verif.coverage.run_identity import RunIdentity


@dataclass(frozen=True)
class BinHits:
    """How often a run hit one bin."""

    count: int
    program: str
    """The first program of the run that did."""


@dataclass(frozen=True)
class RunHits:
    """What one run that passed hit."""

    programs: int
    """Programs that were counted."""
    bins: Mapping[int, BinHits]
    """By the bin's number in the model; bins that were not hit are left out."""


@dataclass(frozen=True)
class CoverageDatabase:
    """The hits of any number of runs under one set of definitions."""

    definitions: str
    """Fingerprint of the model."""
    passed: Mapping[RunIdentity, RunHits] = field(default_factory=dict)
    """What every run hit of which a database says that it passed."""
    failed: Mapping[RunIdentity, str] = field(default_factory=dict)
    """Runs of which a database says that they failed, and why."""

    def merged(self, other: CoverageDatabase) -> CoverageDatabase:
        """Return the union of both.

        Raises CoverageError when the definitions differ, or one run is told in two ways.
        """
        if self.definitions != other.definitions:
            raise CoverageError(
                f"the definitions differ ({self.definitions} and {other.definitions}), so their bins mean "
                "different things; collect one of them again"
            )
        for run in self.passed.keys() & other.passed.keys():
            if self.passed[run] != other.passed[run]:
                raise CoverageError(
                    f"{run} is there twice with different hits; the stimulus must have changed: "
                    "remove the older database"
                )
        failed = dict(self.failed)
        for run, reason in other.failed.items():
            failed[run] = min(reason, failed.get(run, reason))
        return CoverageDatabase(self.definitions, {**self.passed, **other.passed}, failed)

    @property
    def counting(self) -> list[RunIdentity]:
        """The runs that count, in order: those that passed, and failed nowhere."""
        return sorted(self.passed.keys() - self.failed.keys())

    def counts(self, model: CoverageModel) -> NDArray[np.int64]:
        """Return how often each bin of the model was hit, over all runs that count."""
        counts = np.zeros(model.bins, np.int64)
        for run in self.counting:
            for number, hits in self.passed[run].bins.items():
                counts[number] += hits.count
        return counts

    def first_hits(self) -> dict[int, tuple[RunIdentity, str]]:
        """Return for every bin that was hit the first run in order that did, and its first program."""
        first: dict[int, tuple[RunIdentity, str]] = {}
        for run in self.counting:
            for number, hits in self.passed[run].bins.items():
                first.setdefault(number, (run, hits.program))
        return first


def merge(databases: Iterable[CoverageDatabase]) -> CoverageDatabase:
    """Return the union of one database or more."""
    first, *others = databases
    for other in others:
        first = first.merged(other)
    return first
