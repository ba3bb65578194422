"""Mutants whose wrong writes and reads leave memory as it must be at the end."""

from __future__ import annotations

from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind
from verif.qualification.mutant import Category, Expression, FirstDivergence, Mutant

MUTANTS = (
    Mutant(
        "first_product_off_by_one",
        Category.MASKED_WRITE,
        "ga2_matrix_unit.sv",
        (
            Expression(
                "{{10{sum[21]}}, sum}", "{{10{sum[21]}}, sum[21:1], sum[0] ^ (walked_index_q == 12'd0)}"
            ),
        ),
        "The lowest bit of the first element of a product is wrong, which RQ rounds away in its place.",
        ("latencies/8-tour",),
        FirstDivergence(1, "MM", Unit.MATRIX, DivergenceKind.DATA),
    ),
    Mutant(
        "single_exponential_unwritten",
        Category.MASKED_WRITE,
        "ga2_softmax.sv",
        (
            Expression(
                "exponential_valid_q || scaled_valid_q",
                "(exponential_valid_q && (length_i != 12'd1)) || scaled_valid_q",
            ),
            Expression(
                "read_data_i * reciprocal_q",
                "((length_i == 12'd1) ? 16'hffff : read_data_i) * reciprocal_q",
            ),
        ),
        "SM of a row of one element takes its exponential for granted and writes the probability alone.",
        ("golden/softmax",),
        FirstDivergence(1, "SM", Unit.VECTOR, DivergenceKind.MISSING),
    ),
    Mutant(
        "sum_in_untouched_word",
        Category.EXTRA_WRITE,
        "ga2_vector_add.sv",
        (
            Expression("write_q", "write_q || (state_q == StLastSum)", prefix="assign write_o = "),
            Expression(
                "write_addr_q",
                "(write_q ? write_addr_q : (write_addr_q ^ 12'h800))",
                prefix="assign write_addr_o = ",
            ),
        ),
        "Before its last sum VADD writes a word half the scratchpad away, which no program has written.",
        ("plain-step/sharp-c5",),
        FirstDivergence(39, "VADD", Unit.VECTOR, DivergenceKind.EXTRA),
    ),
    Mutant(
        "index_written_twice",
        Category.EXTRA_WRITE,
        "ga2_argmax.sv",
        (
            Expression(
                "state_q == StWrite",
                "(state_q == StWrite) || (state_q == StLastCompare)",
                prefix="assign write_o = ",
            ),
        ),
        "AMAX writes its word in the cycle of its last comparison too, where the index is right already.",
        ("vectors/amax-tie-first-apart",),
        FirstDivergence(0, "AMAX", Unit.VECTOR, DivergenceKind.EXTRA),
    ),
    Mutant(
        "read_in_every_cycle",
        Category.EXTRA_READ,
        "ga2.sv",
        (Expression("|read", "1'b1", prefix="assign scratchpad_read = "),),
        "The scratchpad is read in every cycle, whoever has the turn.",
        ("golden/load-store",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.READS),
    ),
    Mutant(
        "read_in_fetch",
        Category.EXTRA_READ,
        "ga2.sv",
        (Expression("|read", "|read || fetch", prefix="assign scratchpad_read = "),),
        "The scratchpad is read in FETCH, when no unit has the turn.",
        ("golden/load-store",),
        FirstDivergence(2, "HALT", None, DivergenceKind.READS),
    ),
)
