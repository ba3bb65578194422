"""Mutants of the top level and of the counters."""

from __future__ import annotations

from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind
from verif.qualification.mutant import Category, Expression, FirstDivergence, Mutant, Statement

MUTANTS = (
    Mutant(
        "shift_from_next_bits",
        Category.FIELD,
        "ga2.sv",
        (Expression("instruction[51:46]", "instruction[50:45]"),),
        "The shift of RQ is taken one bit too low, so that 31 becomes 62 and every result 0.",
        ("latencies/8-tour",),
        FirstDivergence(2, "RQ", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "depth_of_six_bits",
        Category.FIELD,
        "ga2.sv",
        (Expression("field_g[6:0]", "{1'b0, field_g[5:0]}"),),
        "The matrix unit gets six bits of K, so that 64 becomes 0 and words are streamed twice.",
        ("golden/matmul-transposed-k64",),
        FirstDivergence(1, "MM", Unit.MATRIX, DivergenceKind.DATA),
    ),
    Mutant(
        "rows_and_columns_swapped",
        Category.SWAPPED_PORTS,
        "ga2.sv",
        (Expression("field_f[2:0]", "field_h[2:0]"), Expression("field_h[2:0]", "field_f[2:0]")),
        "M and N of the matrix unit are swapped, which no busy time shows: the second word is in a new row.",
        ("plain-step/sharp-c5",),
        FirstDivergence(2, "MM", Unit.MATRIX, DivergenceKind.ADDRESS),
    ),
    Mutant(
        "strides_swapped",
        Category.SWAPPED_PORTS,
        "ga2.sv",
        (
            Expression("field_d[11:0]", "field_d[23:12]", prefix=".stride_a_i   ("),
            Expression("field_d[23:12]", "field_d[11:0]", prefix=".stride_b_i   ("),
        ),
        "The strides of A and B are swapped, so that B's rows are read from wrong places.",
        ("matrix/gaps",),
        FirstDivergence(0, "MM", Unit.MATRIX, DivergenceKind.DATA),
    ),
    Mutant(
        "argmax_uncounted",
        Category.WRONG_COUNTER,
        "ga2.sv",
        (Expression("turn[Va] || turn[Am]", "turn[Va]"),),
        "Busy cycles of AMAX count for no unit, though they take their time.",
        ("latencies/8-tour",),
        FirstDivergence(5, "AMAX", Unit.VECTOR, DivergenceKind.COUNTER),
    ),
    Mutant(
        "matrix_counted_as_vector",
        Category.WRONG_COUNTER,
        "ga2_counters.sv",
        (Statement("cyc_mm_o <= cyc_mm_o + 32'd1;", "cyc_vec_o <= cyc_vec_o + 32'd1;"),),
        "Busy cycles of the matrix unit step the vector units' counter, which leaves every sum right.",
        ("plain-step/sharp-c5",),
        FirstDivergence(2, "MM", Unit.MATRIX, DivergenceKind.COUNTER),
    ),
    Mutant(
        "instructions_counted_late",
        Category.WRONG_COUNTER,
        "ga2.sv",
        (Expression("any_done", "fetch && (imem_addr != 16'd0)", prefix=".done_i     ("),),
        "n_inst steps a cycle late, at the edge that ends the FETCH of the next word; nothing else moves.",
        ("latencies/8-tour",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.COUNTER),
    ),
    Mutant(
        "matrix_counter_of_ten_bits",
        Category.WRONG_COUNTER,
        "ga2_counters.sv",
        (
            Statement(
                "cyc_mm_o <= cyc_mm_o + 32'd1;",
                "cyc_mm_o <= {22'd0, cyc_mm_o[9:0] + 10'd1};",
            ),
        ),
        "cyc_mm wraps at 1,024.",
        ("matrix/shapes-plain",),
        FirstDivergence(14, "MM", Unit.MATRIX, DivergenceKind.COUNTER),
    ),
)
