"""The heat maps of verifier blocks as HTML pages show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log1p

from refmodel.language.target import MAX_CONTEXT
from regressions.closing.heat_map import PALE, hit_fields, shade
from regressions.closing.shape_costs import ShapeCost
from regressions.coverage.summary import Summary
from sequences.verifier_block import MAX_BLOCK_ROWS


@dataclass(frozen=True)
class Tile:
    """A rectangle of a heat map: rows and columns from 1, as in CSS grids."""

    column: int
    columns: int
    row: int
    rows: int
    shade: int
    """0 to 100; -1: a bin that nothing hit."""
    title: str
    label: str = ""


@dataclass(frozen=True)
class HeatMap:
    """One heat map; the axes are those of all."""

    title: str
    tiles: Sequence[Tile]
    low: str
    high: str
    words: str
    """What a screen reader says of it."""
    columns: int = MAX_CONTEXT
    rows: int = MAX_BLOCK_ROWS
    pale: int = PALE


def hit_maps(summary: Summary) -> Iterator[HeatMap]:
    """Yield the hits of the bins of `verifier_shape`, a map a kind of target."""
    by_target = hit_fields(summary)
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
        hit = sum(field.hits > 0 for field in fields)
        words = f"{target} target: {hit} of {len(fields)} bins hit"
        yield HeatMap(f"Hits, {target} target", tiles, f"{min(counts):,}", f"{max(counts):,}", words)


def cost_maps(shapes: Sequence[ShapeCost]) -> Iterator[HeatMap]:
    """Yield the cycles of every shape, and its speedup."""
    cycles = [shape.cycles for shape in shapes]
    speedups = [shape.speedup for shape in shapes]
    for name, values, form in (
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
                f"c = {shape.cached}, m = {shape.rows}: {form.format(value)}",
            )
            for shape, value in zip(shapes, values, strict=True)
        ]
        low, high = form.format(min(values)), form.format(max(values))
        yield HeatMap(name, tiles, low, high, f"{name}: from {low} to {high}")


def _span(numbers: range) -> str:
    return str(numbers.start) if len(numbers) == 1 else f"{numbers.start}..{numbers.stop - 1}"
