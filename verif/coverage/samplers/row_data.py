"""SM and AMAX: rows that could still be read as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from refmodel.isa.instructions import ArgMax, Softmax
from refmodel.numerics.integer import SOFTMAX_TABLE
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedProgram
from verif.coverage.samplers.elements import Rows, rows

WIDEST_DIFFERENCE = 255

RECIPROCAL_BITS, SCALED_BITS = 38, 22
"""r = ⌊2^38 / Σe⌋; p = (e·r + 2^21) >> 22 (docs/isa.md, SM)."""


def sample_softmax(model: CoverageModel, program: PassedProgram) -> Iterator[IndexArray]:
    """Yield the bins that the SM rows of a program hit."""
    found = _readable(program, _softmax_rows(program.executed))
    if not len(found.lengths):
        return
    scores = program.bytes(found.source)
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


def sample_argmax(model: CoverageModel, program: PassedProgram) -> Iterator[IndexArray]:
    """Yield the bins that the AMAX rows of a program hit."""
    found = _readable(program, _argmax_rows(program.executed))
    if not len(found.lengths):
        return
    values = program.signed(found.source)
    largest = np.maximum.reduceat(values, found.starts)
    item = model["amax_value"]
    yield item.hits(item.dimensions[0].indices(largest))

    first = program.signed(found.result)  # what the RTL found, and the scoreboard confirmed
    times = np.bincount(found.owner[values == largest[found.owner]], minlength=len(found.lengths))
    item = model["amax_position"]
    position, tie = item.dimensions
    where = np.select(
        [found.lengths == 1, first == 0, first == found.lengths - 1],
        [position.index(name) for name in ("the only element", "the first", "the last")],
        position.index("inside"),
    )
    yield item.hits(where, np.where(times > 1, tie.index("tied"), tie.index("unique")))


def _readable(program: PassedProgram, found: Rows) -> Rows:
    """Return the rows of which every word was compared."""
    if program.known is None or not len(found.lengths):
        return found
    whole = np.logical_and.reduceat(program.known[found.source], found.starts)
    result_lengths = np.full(len(found.lengths), len(found.result) // len(found.lengths))
    if len(found.result) == len(found.source):
        result_lengths = found.lengths
    whole &= np.logical_and.reduceat(program.known[found.result], np.cumsum(result_lengths) - result_lengths)
    lengths = found.lengths[whole]
    return Rows(
        found.source[whole[found.owner]],
        found.result[np.repeat(whole, result_lengths)],
        np.cumsum(lengths) - lengths,
        lengths,
    )


@lru_cache(maxsize=512)
def _softmax_rows(program: ExecutedProgram) -> Rows:
    return rows(program, Softmax)


@lru_cache(maxsize=512)
def _argmax_rows(program: ExecutedProgram) -> Rows:
    return rows(program, ArgMax)
