"""The heat maps of verifier blocks as figures, coarse enough for 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from refmodel.language.target import MAX_CONTEXT
from regressions.closing.heat_map import HitField, hit_fields
from regressions.closing.outcome import Outcome
from regressions.closing.shape_costs import ShapeCost
from sequences.verifier_block import MAX_BLOCK_ROWS

STEP = 5
"""Of the 64 numbers of cached rows each fifth is shown."""

Cell = Callable[[ShapeCost], str]


def heat_maps(outcome: Outcome) -> RenderableType:
    """Return hits by kind of target, then cycles and speedup, which are the same for every kind."""
    return Group(
        Text("  hits of each bin; c cached rows across, m rows of the block down"),
        *_hits(hit_fields(outcome.summary)),
        Text("\n  thousands of cycles of a block; c across, m down"),
        *_costs(outcome.shapes, lambda shape: f"{shape.cycles / 1000:.1f}"),
        Text("\n  speedup against the plain steps of the same tokens, if every guess is accepted"),
        *_costs(outcome.shapes, lambda shape: f"{shape.speedup:.2f}"),
    )


def _hits(fields: Mapping[str, Sequence[HitField]]) -> Iterator[Text]:
    columns = sorted({field.cached.start for each in fields.values() for field in each})
    width = 4 * len(columns)
    yield Text("      " + " ".join(f"{target:>{width}}" for target in fields), style="dim")
    heads = "".join(f"{f'{column}+' if column else '0':>4}" for column in columns)
    yield Text("   m  " + " ".join([heads] * len(fields)), style="dim")
    for row in sorted(
        {field.rows for each in fields.values() for field in each}, key=lambda each: each.start
    ):
        name = f"{row.start}" if len(row) == 1 else f"{row.start}+"
        counts = (
            "".join(f"{min(field.hits, 9999):4}" for field in each if field.rows == row)
            for each in fields.values()
        )
        yield Text(f"{name:>4}  " + " ".join(counts))


def _costs(shapes: Sequence[ShapeCost], cell: Cell) -> Iterator[Text]:
    found = {(shape.cached, shape.rows): cell(shape) for shape in shapes}
    columns = range(0, MAX_CONTEXT, STEP)
    yield Text("   m  " + "".join(f"{column:5}" for column in columns), style="dim")
    for rows in range(1, MAX_BLOCK_ROWS + 1):
        yield Text(
            f"{rows:4}  " + "".join(f"{found.get((column, rows), ''):>5}" for column in columns).rstrip()
        )
