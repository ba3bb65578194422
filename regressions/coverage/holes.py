"""Bins that nothing hit, in words: neighbouring ones are told together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from regressions.coverage.summary import ItemSummary
from verif.coverage.dimension import Dimension

Box = tuple[tuple[int, ...], ...]
"""Bins by dimension; it stands for all their combinations."""

BinMask = NDArray[np.bool_]
"""For each bin of an item, of the item's shape."""

MANY = 4
"""Of more names than these, being most of all, the others are told."""


@dataclass(frozen=True)
class Hole:
    """Some bins of an item, all of them missing."""

    words: str
    bins: int
    """How many; no other hole tells them again."""


def holes_of(summary: ItemSummary) -> list[Hole]:
    """Return what an item misses, in few sentences, the largest first; none where everything was hit."""
    left = summary.missing.copy()
    holes: list[Hole] = []
    while left.any():
        first = tuple(int(index) for index in np.argwhere(left)[0])
        axes = range(len(first))
        grown = [_grown(left, summary.item.possible, first, order) for order in permutations(axes)]
        box = max(grown, key=lambda each: int(np.count_nonzero(left[np.ix_(*each)])))
        holes.append(Hole(_words(summary, box), int(np.count_nonzero(left[np.ix_(*box)]))))
        left[np.ix_(*box)] = False
    return sorted(holes, key=lambda hole: -hole.bins)


def _grown(missing: BinMask, possible: BinMask, cell: tuple[int, ...], order: Sequence[int]) -> Box:
    """Widen one missing bin along one dimension after the other, as far as all bins in it are missing.

    Impossible bins do not matter where a dimension can be widened to all it has, which is told as `any`.
    """
    empty = missing | ~possible
    box: Box = tuple((index,) for index in cell)
    for axis in order:
        everything = tuple(range(missing.shape[axis]))
        if empty[np.ix_(*_with(box, axis, everything))].all():
            box = _with(box, axis, everything)
        else:
            own = missing[np.ix_(*_with(box, axis, (cell[axis],)))]
            bins = (index for index in everything if _has(missing, empty, _with(box, axis, (index,)), own))
            box = _with(box, axis, tuple(bins))
    return box


def _has(missing: BinMask, empty: BinMask, box: Box, wanted: BinMask) -> bool:
    """Does a box miss just the wanted bins, others being impossible? Those are in it after `any`."""
    return bool(empty[np.ix_(*box)].all() and (missing[np.ix_(*box)] == wanted).all())


def _with(box: Box, axis: int, bins: tuple[int, ...]) -> Box:
    return (*box[:axis], bins, *box[axis + 1 :])


def _words(summary: ItemSummary, box: Box) -> str:
    names = {
        dimension.name: _bins_in_words(dimension, bins)
        for dimension, bins in zip(summary.item.dimensions, box, strict=True)
    }
    return summary.item.phrase.format_map(names)


def _bins_in_words(dimension: Dimension, bins: Sequence[int]) -> str:
    """Return bins as `1..7 or 64`; neighbouring ranges are joined."""
    if len(bins) == len(dimension.bins) > 1:
        return dimension.any
    if not dimension.numeric:
        others = [name for number, name in enumerate(dimension.bins) if number not in bins]
        if len(others) < len(bins) > MANY:
            return f"{dimension.any} but {_list(others, 'and')}"
        return _list([dimension.bins[number] for number in bins], "or")
    spans: list[tuple[int, int]] = []
    for low, high in (dimension.bounds[number] for number in bins):
        if spans and spans[-1][1] + 1 == low:
            spans[-1] = (spans[-1][0], high)
        else:
            spans.append((low, high))
    return _list([str(low) if low == high else f"{low}..{high}" for low, high in spans], "or")


def _list(words: list[str], conjunction: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {conjunction} {words[-1]}"
