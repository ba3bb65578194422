"""MM: shapes, strides and operands that share words."""

from __future__ import annotations

from collections.abc import Iterator

from refmodel.isa.instructions import MatMul
from refmodel.isa.regions import Footprint
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.model import CoverageModel

LARGEST_STRIDE = 4095


def sample(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    """Yield the bins that the MMs of a program hit, whatever their data."""
    for instruction, touched in zip(program.instructions, program.footprints, strict=True):
        if isinstance(instruction, MatMul):
            yield _shape(model, instruction)
            yield from _strides(model, instruction)
            yield from _aliasing(model, touched)


def _shape(model: CoverageModel, instruction: MatMul) -> IndexArray:
    item = model["mm_shape"]
    rows, columns, depth, order = item.dimensions
    return item.hits(
        rows.indices(instruction.m),
        columns.indices(instruction.n),
        depth.indices(instruction.k),
        order.index("transposed" if instruction.transpose_b else "plain"),
    )


def _strides(model: CoverageModel, instruction: MatMul) -> Iterator[IndexArray]:
    """A stride says something where there is more than one row."""
    transposed = instruction.transpose_b
    b = ("transposed B", instruction.n, instruction.k) if transposed else ("B", instruction.k, instruction.n)
    for (operand, rows, length), stride in (
        (("A", instruction.m, instruction.k), instruction.lda),
        (b, instruction.ldb),
        (("C", instruction.m, instruction.n), instruction.ldc),
    ):
        if rows > 1:
            yield model["mm_stride"].named(operand, _relation(stride, length))


def _relation(stride: int, length: int) -> str:
    if stride == 0:
        return "stride 0"
    if stride == LARGEST_STRIDE:
        return "the largest stride"
    if stride == length:
        return "dense rows"
    return "rows that overlap" if stride < length else "gaps between rows"


def _aliasing(model: CoverageModel, touched: Footprint) -> Iterator[IndexArray]:
    assert touched.writes is not None
    words = {name: region.address_set() for name, region in touched.reads.items()}
    words["C"] = touched.writes.address_set()
    for first, second in (("C", "A"), ("C", "B"), ("A", "B")):
        shared = words[first] & words[second]
        relation = "no words"
        if shared:
            relation = "all words" if words[first] == words[second] else "some words"
        yield model["mm_alias"].named(f"{first} and {second}", relation)
