"""A database against the model: how much of every item was hit, and how much of it is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from regressions.coverage.packed_hits import packed
from verif.coverage.database import CoverageDatabase
from verif.coverage.item import CoverageItem
from verif.coverage.model import CoverageModel
from verif.coverage.run_identity import RunIdentity


@dataclass(frozen=True, eq=False)
class ItemSummary:
    """One item."""

    item: CoverageItem
    counts: NDArray[np.int64]
    """How often each of its combinations was hit, int64 of the item's shape."""

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """bool, of the item's shape: bins that nothing hit."""
        missing: NDArray[np.bool_] = self.item.possible & (self.counts == 0)
        return missing

    @cached_property
    def hit(self) -> int:
        """Bins that were hit."""
        return int(np.count_nonzero(self.counts))

    @property
    def percent(self) -> float:
        """Bins that were hit, of a hundred."""
        return 100 * self.hit / self.item.bins

    @property
    def met(self) -> bool:
        """Is the goal reached?"""
        return self.percent >= self.item.goal


@dataclass(frozen=True, eq=False)
class Summary:
    """All items, in the model's order."""

    database: CoverageDatabase
    items: tuple[ItemSummary, ...]
    first_hits: Mapping[int, tuple[RunIdentity, str]]
    """By the bin's number in the model: the first run that hit it, and the first program of that run."""

    @property
    def hit(self) -> int:
        """Bins of all items that were hit."""
        return sum(each.hit for each in self.items)

    @property
    def bins(self) -> int:
        """Bins of all items."""
        return sum(each.item.bins for each in self.items)

    @property
    def percent(self) -> float:
        """Bins that were hit, of a hundred."""
        return 100 * self.hit / self.bins

    @property
    def met(self) -> int:
        """Items at their goal."""
        return sum(each.met for each in self.items)

    def by_family(self) -> dict[str, list[ItemSummary]]:
        """Return the items of every family."""
        families: dict[str, list[ItemSummary]] = {}
        for each in self.items:
            families.setdefault(each.item.family, []).append(each)
        return families


def summarize(database: CoverageDatabase, model: CoverageModel) -> Summary:
    """Hold a database against the model it was collected under."""
    counts = np.zeros(model.bins, np.int64)
    first_hits: dict[int, tuple[RunIdentity, str]] = {}
    for run in database.counting:
        bins = packed(database.passed[run].bins)
        new = counts[bins.numbers] == 0
        for number, place in zip(bins.numbers[new].tolist(), bins.places[new].tolist(), strict=True):
            first_hits[number] = (run, bins.programs[place])
        counts[bins.numbers] += bins.counts
    items = tuple(
        ItemSummary(item, counts[item.first : item.first + item.size].reshape(item.shape)) for item in model
    )
    return Summary(database, items, first_hits)
