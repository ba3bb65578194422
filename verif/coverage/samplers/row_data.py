"""SM and AMAX: rows that could still be read as a whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import Opcode
from refmodel.numerics.integer import SOFTMAX_TABLE
from verif.coverage.dimension import IndexArray
from verif.coverage.elements import IntArray
from verif.coverage.item import CoverageItem
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedBatch

WIDEST_DIFFERENCE = 255

RECIPROCAL_BITS, SCALED_BITS = 38, 22
"""r = ⌊2^38 / Σe⌋; p = (e·r + 2^21) >> 22 (docs/isa.md, SM)."""


def sample_softmax(model: CoverageModel, batch: PassedBatch) -> Iterator[IndexArray]:
    """Yield the bins that the SM rows hit."""
    found = batch.rows(Opcode.SM)
    if not len(found.lengths):
        return
    scores = batch.bytes(found.source)
    owner = found.owner
    top = np.maximum.reduceat(scores, found.starts)
    differences = top[owner] - scores
    item = model["sm_difference"]
    yield item.hits(item.dimensions[0].indices(differences))

    largest = np.bincount(owner[differences == 0], minlength=len(found.lengths))
    exponentials = SOFTMAX_TABLE[differences]
    reciprocals = (1 << RECIPROCAL_BITS) // np.add.reduceat(exponentials, found.starts)
    remainders = (exponentials * reciprocals[owner]) & ((1 << SCALED_BITS) - 1)
    tied = np.bincount(owner[remainders == 1 << (SCALED_BITS - 1)], minlength=len(found.lengths))
    item = model["sm_row"]
    (form,) = item.dimensions
    crossed = model["sm_length_form"]
    several = found.lengths > 1
    for name, rows_of_form in (
        ("one element", ~several),
        ("all scores equal", several & (largest == found.lengths)),
        ("one largest score", several & (largest == 1)),
        ("several largest scores", (largest > 1) & (largest < found.lengths)),
        ("the widest difference", np.maximum.reduceat(differences, found.starts) == WIDEST_DIFFERENCE),
        ("an exact tie in the last rounding", tied > 0),
    ):
        yield item.hits(np.full(int(rows_of_form.sum()), form.index(name)))
        if name in crossed.dimensions[1].bins:
            of_form = crossed.dimensions[0].indices(found.lengths[rows_of_form])
            yield crossed.hits(of_form, crossed.dimensions[1].index(name))

    first = np.searchsorted(owner[differences == 0], np.arange(len(found.lengths)))
    places = np.flatnonzero(differences == 0)[first] - found.starts
    yield _positions(model["sm_length_position"], found.lengths, places, largest > 1)


def _positions(item: CoverageItem, lengths: IntArray, first: IntArray, tied: NDArray[np.bool_]) -> IndexArray:
    """Return where the first maximum of rows stands; rows of one element have no bin."""
    length, position, tie = item.dimensions
    where = np.select(
        [first == 0, first == lengths - 1],
        [position.index(name) for name in ("the first", "the last")],
        position.index("inside"),
    )
    return item.hits(length.indices(lengths), where, np.where(tied, tie.index("tied"), tie.index("unique")))


def sample_argmax(model: CoverageModel, batch: PassedBatch) -> Iterator[IndexArray]:
    """Yield the bins that the AMAX rows hit."""
    found = batch.rows(Opcode.AMAX)
    if not len(found.lengths):
        return
    values = batch.signed(found.source)
    largest = np.maximum.reduceat(values, found.starts)
    item = model["amax_value"]
    yield item.hits(item.dimensions[0].indices(largest))

    first = batch.signed(found.result)  # what the RTL found, and the scoreboard confirmed
    times = np.bincount(found.owner[values == largest[found.owner]], minlength=len(found.lengths))
    item = model["amax_position"]
    position, tie = item.dimensions
    where = np.select(
        [found.lengths == 1, first == 0, first == found.lengths - 1],
        [position.index(name) for name in ("the only element", "the first", "the last")],
        position.index("inside"),
    )
    ties = np.where(times > 1, tie.index("tied"), tie.index("unique"))
    yield item.hits(where, ties)
    yield _positions(model["amax_length_position"], found.lengths, first, times > 1)
    item = model["amax_index"]
    yield item.hits(item.dimensions[0].indices(first))
