"""A campaign as one HTML page that needs nothing beside it; pages that lie next to it are linked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log1p
from pathlib import Path

from refmodel.language.target import MAX_CONTEXT
from regressions.closing.growth_chart import growth_chart
from regressions.closing.heat_map import hit_fields, shade
from regressions.closing.outcome import Outcome
from regressions.closing.text_report import provenance_lines
from regressions.coverage.html_page import page_environment
from regressions.json_file import write_text
from sequences.verifier_block import MAX_BLOCK_ROWS
from verif.code_coverage.score import GOALS


@dataclass(frozen=True)
class Family:
    """The items of one family, summed."""

    name: str
    hit: int
    bins: int
    items: int
    met: int
    chart: str
    """SVG."""

    @property
    def percent(self) -> float:
        """Bins that were hit, of a hundred."""
        return 100 * self.hit / self.bins


@dataclass(frozen=True)
class Tile:
    """A rectangle of a heat map: rows and columns from 1, as in CSS grids."""

    column: int
    columns: int
    row: int
    rows: int
    shade: int
    """0 to 100."""
    title: str
    label: str = ""


@dataclass(frozen=True)
class HeatMap:
    """One heat map; the axes are those of all."""

    title: str
    tiles: Sequence[Tile]
    low: str
    high: str


def export_html(outcome: Outcome, path: Path, links: dict[str, str]) -> None:
    """Write the page; `links` are pages beside it, by what they show."""
    page = (
        page_environment("regressions.closing")
        .get_template("closure.html")
        .render(
            outcome=outcome,
            families=list(_families(outcome)),
            heat_maps=[*_hits(outcome), *_costs(outcome)],
            columns=MAX_CONTEXT,
            rows=MAX_BLOCK_ROWS,
            goals=GOALS,
            smallest={each.run.test for each in outcome.smallest},
            provenance=provenance_lines(outcome.provenance),
            links=links,
        )
    )
    write_text(path, page + "\n")


def _families(outcome: Outcome) -> Iterator[Family]:
    by_family = outcome.summary.by_family()
    for family, items in by_family.items():
        bins = sum(each.item.bins for each in items)
        others = [other for other in by_family if other != family]
        yield Family(
            family.replace("_", " "),
            sum(each.hit for each in items),
            bins,
            len(items),
            sum(each.met for each in items),
            growth_chart(family, bins, outcome.growth, outcome.rounds, others),
        )


def _hits(outcome: Outcome) -> Iterator[HeatMap]:
    by_target = hit_fields(outcome.summary)
    counts = [field.hits for fields in by_target.values() for field in fields]
    logarithms = [log1p(count) for count in counts]
    for target, fields in by_target.items():
        tiles = [
            Tile(
                column=field.cached.start + 1,
                columns=len(field.cached),
                row=field.rows.start,
                rows=len(field.rows),
                shade=shade(log1p(field.hits), logarithms) if field.hits else -1,
                title=f"c = {_span(field.cached)}, m = {_span(field.rows)}: {field.hits:,} hits",
                label=f"{field.hits:,}",
            )
            for field in fields
        ]
        yield HeatMap(f"Hits, {target} target", tiles, f"{min(counts):,}", f"{max(counts):,}")


def _costs(outcome: Outcome) -> Iterator[HeatMap]:
    cycles = [shape.cycles for shape in outcome.shapes]
    speedups = [shape.speedup for shape in outcome.shapes]
    for name, values, words in (
        ("Cycles of a block", cycles, "{:,} cycles"),
        (
            "Speedup against the plain steps of the same tokens, if every guess is accepted",
            speedups,
            "{:.2f} ×",
        ),
    ):
        tiles = [
            Tile(
                shape.cached + 1,
                1,
                shape.rows,
                1,
                shade(value, values),
                f"c = {shape.cached}, m = {shape.rows}: {words.format(value)}",
            )
            for shape, value in zip(outcome.shapes, values, strict=True)
        ]
        yield HeatMap(name, tiles, words.format(min(values)), words.format(max(values)))


def _span(numbers: range) -> str:
    return str(numbers.start) if len(numbers) == 1 else f"{numbers.start}..{numbers.stop - 1}"
