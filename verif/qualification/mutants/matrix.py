"""Mutants of the matrix unit: walker, operand rows and systolic array."""

from __future__ import annotations

from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind
from verif.qualification.mutant import Category, Expression, FirstDivergence, Mutant, Statement

_FILE = "ga2_matrix_unit.sv"

MUTANTS = (
    Mutant(
        "stride_of_a_for_b",
        Category.STRIDE,
        _FILE,
        (Statement("stride_q <= stride_b_i;", "stride_q <= stride_a_i;"),),
        "From its third row on B is read with the stride of A.",
        ("matrix/gaps",),
        FirstDivergence(0, "MM", Unit.MATRIX, DivergenceKind.DATA),
    ),
    Mutant(
        "overwritten_sums_not_written",
        Category.MASKED_WRITE,
        _FILE,
        (
            Expression(
                "walked_q && (tile_q == TileC)",
                "walked_q && (tile_q == TileC) && "
                "!((stride_c_i == 12'd0) && (columns_i == 3'd1) && (state_q == StWrite))",
                prefix="assign write_o = ",
            ),
        ),
        "Where all rows of a tile of one column go to one word, only the last of them is written.",
        ("matrix/one-word",),
        FirstDivergence(0, "MM", Unit.MATRIX, DivergenceKind.MISSING),
    ),
    Mutant(
        "second_row_of_c_adjacent",
        Category.STRIDE,
        _FILE,
        (Expression("dst_i + stride_c_i", "dst_i + {9'd0, columns_i}"),),
        "The second row of C goes right behind the first, whatever the stride.",
        ("matrix/gaps",),
        FirstDivergence(0, "MM", Unit.MATRIX, DivergenceKind.ADDRESS),
    ),
    Mutant(
        "sum_extended_by_zeros",
        Category.SIGN_EXTENSION,
        _FILE,
        (Expression("{{10{sum[21]}}, sum}", "{10'd0, sum}"),),
        "Sums of 22 bits are extended to 32 by zeros, so that negative ones become large.",
        ("matrix/mixed",),
        FirstDivergence(0, "MM", Unit.MATRIX, DivergenceKind.DATA),
    ),
    Mutant(
        "wave_right_counts_rows",
        Category.OFF_BY_ONE_TIME,
        _FILE,
        (Expression("last_column[1:0]", "last_row[1:0]"),),
        "The wave to the right is as long as there are rows; with one row and four columns that is a cycle "
        "too long, and every word is right.",
        ("plain-step/sharp-c5",),
        FirstDivergence(2, "MM", Unit.MATRIX, DivergenceKind.TIMING),
    ),
    Mutant(
        "single_column_not_cleared",
        Category.MISSING_CLEAR,
        _FILE,
        (Expression("state_q == StClear", "(state_q == StClear) && (last_column != 6'd0)"),),
        "Accumulators are not cleared for a tile of one column: it adds to the tile before, here to a score "
        "that is not so small that the softmax after it would hide the error (as that of sharp-c5 is).",
        ("plain-step/random-c5",),
        FirstDivergence(22, "MM", Unit.MATRIX, DivergenceKind.DATA),
    ),
    Mutant(
        "row_and_column_swapped",
        Category.SWAPPED_PORTS,
        _FILE,
        (
            Expression("index_q[7:6]", "index_q[1:0]", prefix=".row_i    ("),
            Expression("index_q[1:0]", "index_q[7:6]", prefix=".column_i ("),
        ),
        "Row and column of the sum that is read are swapped: C is written transposed.",
        ("matrix/gaps",),
        FirstDivergence(0, "MM", Unit.MATRIX, DivergenceKind.DATA),
    ),
    Mutant(
        "no_zeros_behind_data",
        Category.MISSING_CLEAR,
        "ga2_operand_rows.sv",
        (Expression("zero_i ? 32'd0 : mem[feed_k_i]", "mem[feed_k_i]"),),
        "Behind the last word the operand rows feed words instead of zeros, for K = 64 the first one again.",
        ("matrix/lowest",),
        FirstDivergence(0, "MM", Unit.MATRIX, DivergenceKind.DATA),
    ),
    Mutant(
        "row_of_sum_not_delayed",
        Category.OFF_BY_ONE_TIME,
        "ga2_systolic_array.sv",
        (Expression("sum_row[sum_row_q]", "sum_row[row_i]"),),
        "The row whose sum is written is chosen a cycle early, so that the last column shows the next row, "
        "from which nothing was ever read.",
        ("matrix/gaps",),
        FirstDivergence(0, "MM", Unit.MATRIX, DivergenceKind.DATA),
        x_dependent=True,
    ),
    Mutant(
        "column_one_unsigned",
        Category.SIGN_EXTENSION,
        "ga2_systolic_row.sv",
        (Expression("$signed(b_i[15:8])", "$signed({1'b0, b_i[15:8]})"),),
        "The multiplier of column 1 takes B for unsigned.",
        ("matrix/lowest",),
        FirstDivergence(0, "MM", Unit.MATRIX, DivergenceKind.DATA),
    ),
    Mutant(
        "accumulator_not_cleared",
        Category.MISSING_CLEAR,
        "ga2_systolic_row.sv",
        (Statement("sum0_q <= 22'sd0;", ""),),
        "The accumulators of column 0 are never cleared, not even before the first tile.",
        ("golden/matmul-plain",),
        FirstDivergence(1, "MM", Unit.MATRIX, DivergenceKind.DATA),
        x_dependent=True,
    ),
    Mutant(
        "minus_127_times_127",
        Category.SIGN_EXTENSION,
        "ga2_systolic_row.sv",
        (
            Expression(
                "$signed(a_q[7:0]) * $signed(b_i[15:8])",
                "(($signed(a_q[7:0]) == -8'sd127) && ($signed(b_i[15:8]) == 8'sd127)) ? 22'sd16129 : "
                "($signed(a_q[7:0]) * $signed(b_i[15:8]))",
            ),
        ),
        "The multiplier of column 1 loses the sign of −127 times 127 alone.",
        ("operands/mm-0",),
        FirstDivergence(0, "MM", Unit.MATRIX, DivergenceKind.DATA),
    ),
)
