"""Verifier blocks by cached rows (c) and rows of the block (m): the bins that count hits, and shades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refmodel.language.target import MAX_CONTEXT
from regressions.coverage.summary import Summary
from sequences.verifier_block import MAX_BLOCK_ROWS

PALE = 61
"""Up to this shade a page writes on a tile in its colour for pale ones, beyond it in that for others.

With the colours of `base.html` every shade then has a contrast of 4.5 at least, in light and dark.
"""


@dataclass(frozen=True)
class HitField:
    """One bin of the coverage item `verifier_shape`: a rectangle of shapes that are counted together."""

    cached: range
    rows: range
    """Those of blocks that are run; the bin may go on beyond."""
    hits: int


def hit_fields(summary: Summary) -> dict[str, list[HitField]]:
    """Return the bins by kind of target, row by row."""
    each = next(each for each in summary.items if each.item.name == "verifier_shape")
    targets, cached, rows = each.item.dimensions
    return {
        target: [
            HitField(
                range(c[0], min(c[1], MAX_CONTEXT - 1) + 1),
                range(m[0], min(m[1], MAX_BLOCK_ROWS) + 1),
                int(each.counts[number, column, row]),
            )
            for row, m in enumerate(rows.bounds)
            for column, c in enumerate(cached.bounds)
        ]
        for number, target in enumerate(targets.bins)
    }


def shade(value: float, values: Sequence[float]) -> int:
    """Return where a value lies between the smallest and the largest, in percent."""
    low, high = min(values), max(values)
    return round(100 * (value - low) / (high - low)) if high > low else 100
