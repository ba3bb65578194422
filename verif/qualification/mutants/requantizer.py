"""Mutants of the requantizer."""

from __future__ import annotations

from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind
from verif.qualification.mutant import Category, Expression, FirstDivergence, Mutant, Statement

_FILE = "ga2_requantizer.sv"

MUTANTS = (
    Mutant(
        "requantizer_rounds_down",
        Category.ROUNDING,
        _FILE,
        (Expression("(doubled + 56'd1) >> 1", "doubled >> 1"),),
        "RQ cuts fractions off; with m = 1 that shows from the shift of 1 on, where 1 / 2 becomes 0.",
        ("requantizer/one",),
        FirstDivergence(1, "RQ", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "negative_ties_towards_zero",
        Category.TIE,
        _FILE,
        (
            Expression(
                "(doubled + 56'd1) >> 1",
                "(doubled + {55'd0, !(negative && ((doubled << shift_i) == {magnitude, 1'b0}))}) >> 1",
            ),
        ),
        "Negative ties go towards zero, here −1 / 2 to 0; everything else is rounded as it must be.",
        ("requantizer/one",),
        FirstDivergence(1, "RQ", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "clamp_begins_at_129",
        Category.CLAMP,
        _FILE,
        (Expression("rounded > 56'd127", "rounded > 56'd128"),),
        "128 is not clamped and loses its top bit; without a shift it is among the accumulators.",
        ("requantizer/one",),
        FirstDivergence(0, "RQ", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "relu_ignored",
        Category.CLAMP,
        _FILE,
        (Expression("relu_i ? 32'd0 : -{25'd0, clamped}", "-{25'd0, clamped}"),),
        "RQ with relu keeps negative results; a step has one, in its feed-forward layer.",
        ("plain-step/sharp-c5",),
        FirstDivergence(49, "RQ", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "multiplier_signed",
        Category.SIGN_EXTENSION,
        _FILE,
        (Expression("$signed({1'b0, multiplier_i})", "$signed(multiplier_i)"),),
        "The mantissa is taken for signed, and every normalized one has its top bit set.",
        ("plain-step/sharp-c5",),
        FirstDivergence(6, "RQ", Unit.VECTOR, DivergenceKind.DATA),
    ),
    Mutant(
        "data_valid_after_reset",
        Category.RESET_VALUE,
        _FILE,
        (Statement("data_valid_q <= 1'b0;", "data_valid_q <= 1'b1;"),),
        "After a reset the first RQ begins with a word that it has not read, and all others follow behind.",
        ("latencies/8-tour",),
        FirstDivergence(2, "RQ", Unit.VECTOR, DivergenceKind.EXTRA),
    ),
    Mutant(
        "requantizer_strobe_stays",
        Category.WRITE_OUTSIDE_TURN,
        _FILE,
        (Statement("write_q <= data_valid_q;", "write_q <= data_valid_q || (state_q == StLastWrite);"),),
        "The write strobe of RQ stays high after its last word: FETCH and ISSUE of the next instruction "
        "write, with the data of AMAX, which has not run.",
        ("latencies/8-tour",),
        FirstDivergence(3, "VADD", Unit.VECTOR, DivergenceKind.WRITE_OUTSIDE_TURN),
        x_dependent=True,
    ),
    Mutant(
        "positive_ties_down_from_shift_50",
        Category.TIE,
        _FILE,
        (
            Expression(
                "(doubled + 56'd1) >> 1",
                "(doubled + {55'd0, negative || (shift_i < 6'd50) || "
                "((doubled << shift_i) != {magnitude, 1'b0})}) >> 1",
            ),
        ),
        "Positive ties go down where the shift is 50 or more: 2^49 / 2^50 becomes 0.",
        ("rounding/ties",),
        FirstDivergence(49, "RQ", Unit.VECTOR, DivergenceKind.DATA),
    ),
)
