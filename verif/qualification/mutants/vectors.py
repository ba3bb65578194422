"""Mutants of vector addition and argmax."""

from __future__ import annotations

from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind
from verif.qualification.mutant import Category, Expression, FirstDivergence, Mutant

MUTANTS = (
    Mutant(
        "sum_of_minus_128_passes",
        Category.CLAMP,
        "ga2_vector_add.sv",
        (Expression("sum_q < -9'sd127", "sum_q < -9'sd128"),),
        "VADD clamps below −128 instead of below −127.",
        ("vectors/vadd-doubling",),
        FirstDivergence(0, "VADD", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "second_operand_unsigned",
        Category.SIGN_EXTENSION,
        "ga2_vector_add.sv",
        (Expression("first_q + $signed(read_data_i)", "first_q + $signed({1'b0, read_data_i})"),),
        "VADD takes its second operand for unsigned.",
        ("vectors/vadd-cancelling",),
        FirstDivergence(0, "VADD", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "last_maximum",
        Category.TIE,
        "ga2_argmax.sv",
        (Expression("word_q > best_q", "word_q >= best_q"),),
        "AMAX returns the last of several maxima.",
        ("vectors/amax-tie-first-apart",),
        FirstDivergence(0, "AMAX", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "argmax_unsigned",
        Category.SIGN_EXTENSION,
        "ga2_argmax.sv",
        (Expression("word_q > best_q", "$unsigned(word_q) > $unsigned(best_q)"),),
        "AMAX compares without signs, so that −1 is the largest word.",
        ("vectors/amax-sign-apart",),
        FirstDivergence(0, "AMAX", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "argmax_done_early",
        Category.OFF_BY_ONE_TIME,
        "ga2_argmax.sv",
        (Expression("state_q == StWrite", "state_q == StLastCompare", prefix="assign done_o = "),),
        "AMAX retires a cycle early; its word comes in the cycle after, when the unit has no turn.",
        ("latencies/8-tour",),
        FirstDivergence(5, "AMAX", Unit.VECTOR, DivergenceKind.TIMING),
    ),
    Mutant(
        "zero_and_minus_128_pass",
        Category.CLAMP,
        "ga2_vector_add.sv",
        (Expression("sum_q < -9'sd127", "(sum_q < -9'sd127) && (first_q != 8'sd0)"),),
        "VADD passes its second operand on where the first is 0, −128 too, which is not clamped.",
        ("operands/vadd",),
        FirstDivergence(25, "VADD", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "argmax_begins_above_lowest",
        Category.TIE,
        "ga2_argmax.sv",
        (Expression("32'sh8000_0000", "32'sh8000_0001"),),
        "AMAX begins with one above the smallest word, so that −2^31 + 1 behind −2^31 is no larger.",
        ("argmax/longest-last-lowest",),
        FirstDivergence(0, "AMAX", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "word_4094_not_compared",
        Category.OFF_BY_ONE_TIME,
        "ga2_argmax.sv",
        (Expression("word_q > best_q", "(word_q > best_q) && (index_q != 12'd4094)"),),
        "AMAX leaves out the last word of the longest row.",
        ("argmax/longest-last-overflow",),
        FirstDivergence(0, "AMAX", Unit.VECTOR, DivergenceKind.DATA),
    ),
)
