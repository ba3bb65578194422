"""Mutants of the softmax unit, its exponential table and its division."""

from __future__ import annotations

from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind
from verif.qualification.mutant import Category, Expression, FirstDivergence, Mutant, Statement

_FILE = "ga2_softmax.sv"

MUTANTS = (
    Mutant(
        "softmax_tie_rounds_down",
        Category.TIE,
        _FILE,
        (Expression("39'h20_0000", "39'h1F_FFFF"),),
        "The rounding constant of SM is 2^21 − 1: exact ties round down, nothing else changes.",
        ("vectors/sm-exact-tie-apart",),
        FirstDivergence(0, "SM", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "softmax_rounds_down",
        Category.ROUNDING,
        _FILE,
        (Expression("{1'b0, product_q} + 39'h20_0000", "{1'b0, product_q}"),),
        "SM cuts fractions off, so that the probability of a single element is 65535 instead of 65536.",
        ("golden/softmax",),
        FirstDivergence(1, "SM", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "top_cleared_by_reset_alone",
        Category.STALE_STATE,
        _FILE,
        (
            Statement("top_q <= -8'sd128;", ""),
            Statement("lookup_valid_q <= 1'b0;", "lookup_valid_q <= 1'b0; top_q <= -8'sd128;"),
        ),
        "The maximum is set back by reset alone: after scores of 127 a row of −77 has no exponential left.",
        ("vectors/sm-all-equal-apart", "vectors/sm-one-apart"),
        FirstDivergence(0, "SM", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "sum_cleared_by_reset_alone",
        Category.MISSING_CLEAR,
        _FILE,
        (
            Statement("sum_q <= 28'd0;", ""),
            Statement("exponential_valid_q <= 1'b0;", "exponential_valid_q <= 1'b0; sum_q <= 28'd0;"),
        ),
        "The sum of exponentials is cleared by reset alone: the second row of attention divides by too much.",
        ("verifier-block/sharp-c3-m2",),
        FirstDivergence(33, "SM", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "last_exponential_missed",
        Category.OFF_BY_ONE_TIME,
        _FILE,
        (Statement("state_q <= StLastExponential;", "state_q <= StStartDivision;"),),
        "The division starts a cycle early, without the last exponential; of a single one nothing is left to "
        "divide by.",
        ("golden/softmax",),
        FirstDivergence(1, "SM", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "unsigned_maximum",
        Category.SIGN_EXTENSION,
        _FILE,
        (Expression("$signed(read_data_i[7:0]) > top_q", "read_data_i[7:0] > top_q"),),
        "The maximum is taken over unsigned scores, so that −1 is above 127.",
        ("vectors/sm-every-difference-apart",),
        FirstDivergence(0, "SM", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "source_scaled",
        Category.FIELD,
        _FILE,
        (Statement("read_addr_q <= dst_i;", "read_addr_q <= src_i;"),),
        "The third pass scales the scores instead of the exponentials, which shows unless both lie together.",
        ("vectors/sm-rising-apart",),
        FirstDivergence(0, "SM", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "distance_of_seven_bits",
        Category.FIELD,
        "ga2_exp_table.sv",
        (Expression("top_i-score_i", "(top_i - score_i) & 8'h7f"),),
        "The table is addressed with seven bits of the distance, so that 255 gives T[127] = 23 and not 0.",
        ("vectors/sm-far-apart-apart",),
        FirstDivergence(0, "SM", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "division_never_done",
        Category.HANG,
        "ga2_reciprocal.sv",
        (Expression("stepping_q && (step_q == LastStep)", "stepping_q && (step_q > LastStep)"),),
        "The division says done when it no longer steps, which is never: SM stops behind the exponentials.",
        ("golden/softmax",),
        FirstDivergence(1, "SM", Unit.VECTOR, DivergenceKind.HANG),
    ),
    Mutant(
        "sum_of_27_bits",
        Category.FIELD,
        _FILE,
        (Expression("sum_q + {12'd0, exponential}", "(sum_q + {12'd0, exponential}) & 28'h7ff_ffff"),),
        "The sum of exponentials has 27 bits, too few for more than 2,048 equal scores.",
        ("long-rows/all-equal",),
        FirstDivergence(1, "SM", Unit.VECTOR, DivergenceKind.DATA),
    ),
)
