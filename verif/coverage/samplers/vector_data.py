"""VADD and MM: sums and products of elements that could still be read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from refmodel.isa.instructions import MatMul, VectorAdd
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedProgram
from verif.coverage.samplers.elements import Elements, elements

LARGEST_PRODUCT, LOWEST_PRODUCT = 128 * 128, -128 * 127
"""Of two int8 values."""


def sample_additions(model: CoverageModel, program: PassedProgram) -> Iterator[IndexArray]:
    """Yield the bins that the elements of all VADDs of a program hit."""
    found = _additions(program.executed)
    if not len(found.result):
        return
    left, right = found.operands
    readable = program.readable(left) & program.readable(right) & program.readable(found.result)
    sums = program.bytes(left)[readable] + program.bytes(right)[readable]
    item = model["vadd_sum"]
    yield item.hits(item.dimensions[0].indices(sums))


def sample_products(model: CoverageModel, program: PassedProgram) -> Iterator[IndexArray]:
    """Yield the bins that the elements of C of all MMs of a program hit."""
    found = _products(program.executed)
    if not len(found.result):
        return
    readable = program.readable(found.result)
    sums = program.signed(found.result)[readable]
    depth = found.attribute("k")[readable]
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


@lru_cache(maxsize=512)
def _additions(program: ExecutedProgram) -> Elements:
    return elements(program, VectorAdd, ["src1", "src2"])


@lru_cache(maxsize=512)
def _products(program: ExecutedProgram) -> Elements:
    """Operands are left out: the sum in C says by itself what its operands were at the extremes."""
    return elements(program, MatMul, [])
