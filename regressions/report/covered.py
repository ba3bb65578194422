"""What a night covered: functional coverage by item with its holes, code coverage where it was counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.closing.page_heat_maps import HeatMap, hit_maps
from regressions.code_coverage.files import load_all as load_code
from regressions.code_coverage.gcovr_export import export as export_code
from regressions.coverage.databases import load_all
from regressions.coverage.holes import Hole, holes_of
from regressions.coverage.summary import ItemSummary, Summary, summarize
from regressions.nightly.covered import COVERAGE
from verif.code_coverage.counts import Counts
from verif.code_coverage.exclusions import apply_exclusions, load_exclusions
from verif.code_coverage.score import CodeScore, score
from verif.coverage.errors import CoverageError
from verif.coverage.model import load_model
from verif.simulation.plain_path import REPOSITORY

CODE_COVERAGE = "code-coverage"
"""Below a night's directory: what jobs of build `coverage` counted."""

LARGEST_SHOWN = 25
"""Holes that are listed; each item leads to all of its own."""


@dataclass(frozen=True)
class CoveredItem:
    """An item with what it misses."""

    summary: ItemSummary
    holes: Sequence[Hole]

    @property
    def name(self) -> str:
        """Of the item."""
        return self.summary.item.name


@dataclass(frozen=True)
class ListedHole:
    """A hole and where all of its bins are shown."""

    item: str
    hole: Hole
    anchor: str


@dataclass(frozen=True)
class Covered:
    """The functional coverage of a night."""

    unknown: str
    """Why there is none, in a sentence; empty where there is."""
    summary: Summary | None = None

    @cached_property
    def families(self) -> dict[str, list[CoveredItem]]:
        """Items by family."""
        if self.summary is None:
            return {}
        return {
            family.replace("_", " "): [CoveredItem(each, holes_of(each)) for each in items]
            for family, items in self.summary.by_family().items()
        }

    @property
    def largest_holes(self) -> list[ListedHole]:
        """The largest holes of all items."""
        return self.all_holes[:LARGEST_SHOWN]

    @cached_property
    def all_holes(self) -> list[ListedHole]:
        """The holes of all items that something hit, the largest first."""
        found = [
            ListedHole(each.name, hole, f"{each.name}-hole-{number}")
            for items in self.families.values()
            for each in items
            if each.summary.hit
            for number, hole in enumerate(each.holes, 1)
        ]
        return sorted(found, key=lambda each: -each.hole.bins)

    @property
    def untouched(self) -> list[CoveredItem]:
        """Items of which nothing was hit."""
        return [each for items in self.families.values() for each in items if not each.summary.hit]

    @property
    def heat_maps(self) -> list[HeatMap]:
        """The verifier blocks that were hit, by kind of target."""
        return [] if self.summary is None else list(hit_maps(self.summary))


@dataclass(frozen=True)
class CoveredCode:
    """The code coverage of a night."""

    unknown: str
    score: CodeScore | None = None
    counts: Counts | None = None

    def export(self, page: Path) -> None:
        """Write the pages of all sources, of which `page` is the first. Raises Ga2Error, OSError."""
        assert self.counts is not None
        excluded = apply_exclusions(load_exclusions(), self.counts, REPOSITORY).points
        page.parent.mkdir()
        export_code(self.counts, excluded, REPOSITORY, html=page)


def functional_coverage(night: Path) -> Covered:
    """Return what the jobs of a night hit; what keeps it from being read is told in its place."""
    directory = night / COVERAGE
    if not any(directory.glob("*.json")):
        return Covered("no job of this night that passed left coverage")
    model = load_model()
    try:
        return Covered("", summarize(load_all([directory], model), model))
    except CoverageError as error:  # of an older commit, perhaps, whose other results are as good as ever
        return Covered(f"it cannot be shown: {error}")


def code_coverage(night: Path) -> CoveredCode:
    """Return what jobs of build `coverage` reached; what keeps it from being read is told in its place."""
    directory = night / CODE_COVERAGE
    if not any(directory.rglob("*.dat")):
        return CoveredCode("this night counted none: jobs of build `coverage` do, as in list `closure`")
    try:
        counts = load_code([directory])
        return CoveredCode("", score(counts, load_exclusions(), REPOSITORY), counts)
    except (Ga2Error, OSError) as error:
        return CoveredCode(f"it cannot be shown: {error}")
