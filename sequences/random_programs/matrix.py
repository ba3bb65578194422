"""MM."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.isa.instructions import MatMul
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.isa.regions import Region, matrix_a, matrix_b
from sequences.random_programs.addresses import scratchpad_start
from sequences.random_programs.builder import ProgramBuilder, Span
from sequences.random_programs.data_region import Profile
from sequences.random_programs.draws import Draws
from sequences.random_programs.kinds import MatrixPlacement, SourceKind, StrideKind

LARGEST_STRIDE = SCRATCHPAD_WORDS - 1

LONGEST_GAP = 64

FED_AT_ONCE = 600
"""Words that one LD brings for an operand, those between its rows included; beyond, each row has an LD."""

FED_ROWS = 4
"""Operands of more rows with large gaps are not fed unless a constraint says so."""


@dataclass(frozen=True)
class MatMulConstraint:
    """What an MM must be; None leaves it to the weights."""

    m: int | None = None
    k: int | None = None
    n: int | None = None
    transpose_b: bool | None = None
    lda: int | None = None
    ldb: int | None = None
    ldc: int | None = None
    placement: MatrixPlacement | None = None
    data: Profile | None = None
    """Of both operands, which are then fed."""


def matmul(builder: ProgramBuilder, constraint: MatMulConstraint = MatMulConstraint()) -> MatMul:
    """Append an MM, and before it what defines its operands."""
    draws, weights = builder.draws, builder.weights.matrix
    m = weights.m.draw(draws) if constraint.m is None else constraint.m
    k = weights.k.draw(draws) if constraint.k is None else constraint.k
    n = weights.n.draw(draws) if constraint.n is None else constraint.n
    transposed = constraint.transpose_b
    if transposed is None:
        transposed = draws.percent(weights.percent_transposed)
    b_rows, b_columns = (n, k) if transposed else (k, n)
    lda = _stride(builder, k) if constraint.lda is None else constraint.lda
    ldb = _stride(builder, b_columns) if constraint.ldb is None else constraint.ldb
    ldc = _stride(builder, n) if constraint.ldc is None else constraint.ldc
    a_words, b_words, c_words = (m - 1) * lda + k, (b_rows - 1) * ldb + b_columns, (m - 1) * ldc + n
    a, a_kind = _source(builder, a_words)
    b, b_kind = _source(builder, b_words)
    placement = constraint.placement or weights.placement.draw(draws)
    if placement in (MatrixPlacement.SAME_SOURCES, MatrixPlacement.ALL_SAME):
        b = a
    dst = _destination(builder, placement, (a, a_words), (b, b_words), c_words)
    instruction = MatMul(dst, a, b, m, k, n, transposed, lda, ldb, ldc)
    for region, kind in ((matrix_a(instruction), a_kind), (matrix_b(instruction), b_kind)):
        _provide(builder, region, kind, constraint.data)
    # The second operand's data may have come over the first one's: defined it is all the same.
    builder.append(instruction)
    return instruction


def _stride(builder: ProgramBuilder, row: int) -> int:
    """Draw the stride that leads over rows of `row` words."""
    draws = builder.draws
    match builder.weights.matrix.stride.draw(draws):
        case StrideKind.ZERO:
            return 0
        case StrideKind.INSIDE if row > 1:
            return draws.between(1, row - 1)
        case StrideKind.GAP:
            return row + draws.between(1, LONGEST_GAP)
        case StrideKind.ANY:
            return draws.between(0, LARGEST_STRIDE)
        case _:
            return row


def _source(builder: ProgramBuilder, words: int) -> tuple[int, SourceKind]:
    """Draw where an operand of `words` words, gaps included, begins."""
    operands = builder.weights.operands
    kind = operands.sources.draw(builder.draws)
    result = builder.recent_result() if kind is SourceKind.CHAINED else None
    return result[0] if result is not None else _anywhere(builder, words), kind


def _anywhere(builder: ProgramBuilder, words: int) -> int:
    kind = builder.weights.operands.scratchpad.draw(builder.draws)
    return scratchpad_start(builder.draws, kind, min(words, SCRATCHPAD_WORDS))


def _destination(builder: ProgramBuilder, placement: MatrixPlacement, a: Span, b: Span, c_words: int) -> int:
    match placement:
        case MatrixPlacement.ONTO_A | MatrixPlacement.ALL_SAME:
            return a[0]
        case MatrixPlacement.ONTO_B:
            return b[0]
        case MatrixPlacement.INTO_A:
            return _within(builder.draws, a)
        case MatrixPlacement.INTO_B:
            return _within(builder.draws, b)
        case _:
            return _anywhere(builder, c_words)


def _within(draws: Draws, span: Span) -> int:
    return (span[0] + draws.below(span[1])) % SCRATCHPAD_WORDS


def _provide(builder: ProgramBuilder, region: Region, kind: SourceKind, data: Profile | None) -> None:
    """Feed an operand, or make sure that it is defined."""
    loads = _loads(region)
    if data is not None or (kind is SourceKind.FED and len(loads) <= FED_ROWS):
        profile = data or Profile(builder.weights.data.profiles.draw(builder.draws))
        for span in loads:
            builder.feed(span, profile)
    else:
        builder.require(region)


def _loads(region: Region) -> list[Span]:
    """Return what has to be loaded to fill an operand: all of its span, or its rows."""
    words = region.last - region.start + 1
    if words <= FED_AT_ONCE:
        return [(region.start, words)]
    # One axis runs along the rows and has stride 1; a span this long means that the other has not.
    along = region.strides.index(1)
    length, count, stride = region.shape[along], region.shape[1 - along], region.strides[1 - along]
    return [((region.start + row * stride) % SCRATCHPAD_WORDS, length) for row in range(count)]
