"""RQ: accumulators, products, ties and clamps, of elements that could still be read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Opcode
from refmodel.numerics.integer import INT8_MAX
from verif.coverage.dimension import IndexArray
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedBatch

NEGATIVE, POSITIVE = 0, 1
"""Bins of every dimension `sign`."""


def sample(model: CoverageModel, batch: PassedBatch) -> Iterator[IndexArray]:
    """Yield the bins that the elements of all RQs hit."""
    found = batch.elements(Opcode.RQ, ("src",), ("multiplier", "shift", "relu"))
    if not len(found.result):
        return
    accumulators, results = batch.signed(found.operands[0]), batch.signed(found.result)
    multiplier, shift, relu = found.attributes

    item = model["rq_accumulator"]
    yield item.hits(item.dimensions[0].indices(accumulators))

    products = np.abs(accumulators) * multiplier  # at most 2^55
    sign = np.where(accumulators < 0, NEGATIVE, POSITIVE)
    item = model["rq_product"]
    bits = _bit_lengths(products)
    yield item.hits(item.dimensions[0].indices(bits), sign)
    item = model["rq_shift_product"]
    yield item.hits(item.dimensions[0].indices(shift), item.dimensions[1].indices(bits), sign)

    # What the result was before it was clamped: sums below 2^62 + 2^55, exact in 64 bits; 2^63 is never made.
    half = np.where(shift > 0, np.int64(1) << np.maximum(shift - 1, 0), 0)
    magnitudes = (products + half) >> shift
    rounded = np.where(accumulators < 0, -magnitudes, magnitudes)
    lowest = np.where(relu == 1, 0, -INT8_MAX)
    item = model["rq_result"]
    outcome = np.select(
        [rounded > INT8_MAX, rounded < lowest, rounded == INT8_MAX, rounded == -INT8_MAX],
        [item.dimensions[0].index(name) for name in _OUTCOMES],
        item.dimensions[0].index("lies inside"),
    )
    yield item.hits(outcome, relu)

    below_point = (half - 1) | half  # the bits that the shift drops; of shift 0 it is not looked at
    tied = (shift > 0) & ((products & below_point) == half) & (results == rounded)
    item = model["rq_tie"]
    yield item.hits(sign[tied], item.dimensions[1].indices(shift[tied]))
    item = model["rq_tie_shift"]
    yield item.hits(item.dimensions[0].indices(shift[tied]))


_OUTCOMES = ("is clamped to 127", "is clamped from below", "is 127 by itself", "is -127 by itself")


def _bit_lengths(values: IndexArray) -> IndexArray:
    """Return the number of bits of each value, which is below 2^56; exact, since frexp of a double is."""
    high, low = values >> 28, values & ((1 << 28) - 1)
    bits: IndexArray = np.where(high > 0, np.frexp(high)[1] + 28, np.frexp(low)[1]).astype(np.int64)
    return bits
