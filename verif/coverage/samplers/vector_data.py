"""VADD and MM: sums and products of elements that could still be read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Opcode
from verif.coverage.dimension import IndexArray
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedBatch

LARGEST_PRODUCT, LOWEST_PRODUCT = 128 * 128, -128 * 127
"""Of two int8 values."""


def sample_additions(model: CoverageModel, batch: PassedBatch) -> Iterator[IndexArray]:
    """Yield the bins that the elements of all VADDs hit."""
    found = batch.elements(Opcode.VADD, ("src1", "src2"))
    if len(found.result):
        left, right = found.operands
        item = model["vadd_sum"]
        yield item.hits(item.dimensions[0].indices(batch.bytes(left) + batch.bytes(right)))


def sample_products(model: CoverageModel, batch: PassedBatch) -> Iterator[IndexArray]:
    """Yield the bins that the elements of C of all MMs hit.

    Operands are not looked at: the sum in C says by itself what they were at the extremes.
    """
    found = batch.elements(Opcode.MM, (), ("k",))
    if not len(found.result):
        return
    sums = batch.signed(found.result)
    (depth,) = found.attributes
    item = model["mm_result"]
    (value,) = item.dimensions
    yield item.hits(
        np.select(
            [sums == depth * LARGEST_PRODUCT, sums == depth * LOWEST_PRODUCT, sums > 0, sums < 0],
            [
                value.index(name)
                for name in ("the largest possible", "the lowest possible", "positive", "negative")
            ],
            value.index("zero"),
        )
    )
