"""Coverage as one HTML page that needs nothing beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from regressions.coverage.holes import Hole, holes_of
from regressions.coverage.summary import ItemSummary, Summary
from regressions.coverage.text_report import headline, percent
from regressions.json_file import write_text

LONG_DIMENSION = 20
"""A single dimension of more bins is shown as a grid of numbers, not as a list."""


@dataclass(frozen=True)
class Cell:
    """One bin, or the place of an impossible one."""

    label: str
    state: str
    """`hit`, `missing` or `impossible`: its class in the style sheet."""
    title: str
    """What the browser shows when the mouse rests on it."""


@dataclass(frozen=True)
class Section:
    """One item as the page shows it."""

    summary: ItemSummary
    holes: Sequence[Hole]
    columns: Sequence[str]
    """Bins of the last dimension, which are the columns; empty for an item of one dimension."""
    rows: Sequence[tuple[Sequence[str], Sequence[Cell]]]
    """Bins of the dimensions before it, and the cells of that row."""

    @property
    def is_grid(self) -> bool:
        """Are there too many cells for a line each?"""
        return not self.columns and len(self.rows) > LONG_DIMENSION


def export_html(summary: Summary, path: Path) -> None:
    """Write the page."""
    environment = Environment(
        loader=PackageLoader("regressions.coverage"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    families = [
        (family.replace("_", " "), [_section(summary, each) for each in items])
        for family, items in summary.by_family().items()
    ]
    page = environment.get_template("coverage.html").render(
        summary=summary, families=families, headline=headline(summary)
    )
    write_text(path, page + "\n")


def _section(summary: Summary, each: ItemSummary) -> Section:
    *outer, last = each.item.dimensions
    if not outer:
        cells = [((name,), [_cell(summary, each, (index,), name)]) for index, name in enumerate(last.bins)]
        return Section(each, holes_of(each), (), cells)
    return Section(each, holes_of(each), last.bins, list(_rows(summary, each)))


def _rows(summary: Summary, each: ItemSummary) -> Iterator[tuple[list[str], list[Cell]]]:
    *outer, last = each.item.dimensions
    for indices in product(*(range(len(dimension.bins)) for dimension in outer)):
        names = [dimension.bins[index] for dimension, index in zip(outer, indices, strict=True)]
        yield names, [_cell(summary, each, (*indices, index), "") for index in range(len(last.bins))]


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
