"""Coverage as one HTML page that needs nothing beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path

from regressions.coverage.holes import Hole, holes_of
from regressions.coverage.html_page import PageLink, page_environment
from regressions.coverage.summary import ItemSummary, Summary
from regressions.coverage.text_report import headline
from sequences.whole_file import write_text
from verif.coverage.dimension import Dimension

LONG_DIMENSION = 20
"""A single dimension of more bins is shown as a grid of numbers, not as a list."""

MOST_COLUMNS = 16
"""Two dimensions run across the columns where they do not take more than these."""


@dataclass(frozen=True)
class Cell:
    """One bin, or the place of an impossible one."""

    label: str
    state: str
    """`hit`, `missing` or `impossible`: its class in the style sheet."""
    title: str
    """What the browser shows when the mouse rests on it."""


@dataclass(frozen=True)
class Heading:
    """A row of the table's head: one dimension that runs across the columns."""

    name: str
    bins: Sequence[str]
    """Its bins, as often as they come again."""
    span: int
    """Columns of each."""


@dataclass(frozen=True)
class Section:
    """One item as the page shows it: a table, or its cells alone if it has one dimension."""

    summary: ItemSummary
    holes: Sequence[Hole]
    outer: Sequence[str]
    """Dimensions that run down the rows."""
    headings: Sequence[Heading]
    """Dimensions that run across the columns, the slowest first; empty for an item of one dimension."""
    rows: Sequence[tuple[Sequence[str], Sequence[Cell]]]
    """Bins of the outer dimensions, and the cells of that row."""

    @property
    def is_grid(self) -> bool:
        """Are there too many cells for a list?"""
        return not self.headings and len(self.rows) > LONG_DIMENSION


def export_html(summary: Summary, path: Path, pages: Sequence[PageLink] = ()) -> None:
    """Write the page; `pages` are those of the site that it is one of, if it is.

    Items and holes have anchors: `#ITEM` and `#ITEM-hole-N`, N from 1 in the order of `holes_of`.
    """
    environment = page_environment("regressions.coverage")
    families = [
        (family.replace("_", " "), [_section(summary, each) for each in items])
        for family, items in summary.by_family().items()
    ]
    page = environment.get_template("coverage.html").render(
        summary=summary, families=families, headline=headline(summary), pages=pages
    )
    write_text(path, page + "\n")


def _section(summary: Summary, each: ItemSummary) -> Section:
    dimensions = each.item.dimensions
    if len(dimensions) == 1:
        cells = [
            ((name,), [_cell(summary, each, (index,), name)]) for index, name in enumerate(dimensions[0].bins)
        ]
        return Section(each, holes_of(each), (), (), cells)
    wide = prod(len(dimension.bins) for dimension in dimensions[-2:]) > MOST_COLUMNS
    across = 1 if wide or len(dimensions) == 2 else 2
    outer, inner = dimensions[:-across], dimensions[-across:]
    return Section(
        each,
        holes_of(each),
        [dimension.name for dimension in outer],
        list(_headings(inner)),
        list(_rows(summary, each, outer, inner)),
    )


def _headings(dimensions: Sequence[Dimension]) -> Iterator[Heading]:
    repeated = 1
    span = prod(len(dimension.bins) for dimension in dimensions)
    for dimension in dimensions:
        span //= len(dimension.bins)
        yield Heading(dimension.name, dimension.bins * repeated, span)
        repeated *= len(dimension.bins)


def _rows(
    summary: Summary, each: ItemSummary, outer: Sequence[Dimension], inner: Sequence[Dimension]
) -> Iterator[tuple[list[str], list[Cell]]]:
    for row in _indices(outer):
        names = [dimension.bins[index] for dimension, index in zip(outer, row, strict=True)]
        yield names, [_cell(summary, each, row + column, "") for column in _indices(inner)]


def _indices(dimensions: Sequence[Dimension]) -> Iterator[tuple[int, ...]]:
    return product(*(range(len(dimension.bins)) for dimension in dimensions))


def _cell(summary: Summary, each: ItemSummary, indices: tuple[int, ...], label: str) -> Cell:
    item = each.item
    number = item.number_of(indices)
    words = item.words(number)
    if not item.possible[indices]:
        return Cell(label, "impossible", f"{words}: impossible, {item.why_impossible(indices)}")
    count = int(each.counts[indices])
    if not count:
        return Cell(label, "missing", f"{words}: never")
    run, program = summary.first_hits[item.first + number]
    times = "once" if count == 1 else f"{count:,} times"
    return Cell(label or _short(count), "hit", f"{words}: {times}, first in {program} of {run}")


def _short(count: int) -> str:
    """Return a count in four characters at most."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= size:
            return f"{count // size}{letter}"
    return str(count)
