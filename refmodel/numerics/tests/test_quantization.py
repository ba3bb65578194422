"""Quantization against exact rational arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from refmodel.numerics.quantization import dequantize, multiplier_and_shift, quantize, scale_of_range

ratios = st.one_of(
    st.floats(2.0**-40, 2.0**24, exclude_max=True),
    st.builds(math.ldexp, st.floats(1.0, 2.0, exclude_max=True), st.integers(-40, 23)),
)


def exact_quantize(ratio: Fraction) -> int:
    magnitude = math.floor(abs(ratio) + Fraction(1, 2))
    return min(max(magnitude if ratio >= 0 else -magnitude, -127), 127)


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e3))
@example(0.49999999999999994, 1.0)  # adding 0.5 in floating point gives 1.0
@example(-0.49999999999999994, 1.0)
@example(0.5, 1.0)
@example(-1.5, 1.0)
@example(126.5, 1.0)
@example(1e300, 1e-3)
def test_quantize_rounds_half_away(value: float, scale: float) -> None:
    assert quantize(np.array([value]), scale).tolist() == [exact_quantize(Fraction(value / scale))]


@pytest.mark.filterwarnings("error")
def test_quantize_clamps_what_overflows() -> None:
    assert quantize(np.array([1e308, -1e308, 0.0]), 1e-308).tolist() == [127, -127, 0]


@given(st.lists(st.integers(-255, 255), min_size=1, max_size=12))
def test_quantize_is_exact_on_ties(halves: list[int]) -> None:
    values = np.array(halves) * 0.25  # in units of a scale of 0.5: every other one is a tie
    assert quantize(values, 0.5).tolist() == [exact_quantize(Fraction(half, 2)) for half in halves]


@given(st.integers(-127, 127), st.floats(1e-6, 1e3))
def test_dequantize_then_quantize_is_the_identity(integer: int, scale: float) -> None:
    assert quantize(dequantize(np.array([integer]), scale), scale).tolist() == [integer]


def test_scale_of_range() -> None:
    assert scale_of_range(254.0) == 2.0
    assert scale_of_range(0.0) == 1.0 / 127


@given(ratios)
@example(2.0**-40)
@example(1.0)
@example(math.nextafter(1.0, 0.0))  # rounds up to 2^24, so it is halved
@example(2.0**23)
@example((2**23 + 0.5) / 2**23)  # a tie, to even: down
@example((2**23 + 1.5) / 2**23)  # a tie, to even: up
def test_multiplier_and_shift_are_the_nearest_pair(ratio: float) -> None:
    exact = Fraction(ratio)
    exponent = next(e for e in range(-41, 25) if Fraction(2) ** e <= exact < Fraction(2) ** (e + 1))
    shift = 23 - exponent
    multiplier = round(exact * Fraction(2) ** shift)
    if multiplier == 2**24:
        multiplier, shift = 2**23, shift - 1
    assume(shift >= 0)
    assert multiplier_and_shift(ratio) == (multiplier, shift)
    assert 2**23 <= multiplier < 2**24
    assert 0 <= shift <= 63


def test_multiplier_and_shift_hand_computed() -> None:
    assert multiplier_and_shift(1.0) == (2**23, 23)
    assert multiplier_and_shift(0.75) == (3 * 2**22, 24)
    assert multiplier_and_shift(2.0**-40) == (2**23, 63)
    assert multiplier_and_shift(127 / 65536) == (127 * 2**17, 33)


@pytest.mark.parametrize(
    "ratio",
    [0.0, -1.0, math.nextafter(2.0**-40, 0.0), 2.0**24, math.nextafter(2.0**24, 0.0), math.inf, math.nan],
)
def test_multiplier_and_shift_refuse_what_no_pair_expresses(ratio: float) -> None:
    with pytest.raises(ValueError, match=r"requantizer multiplier .* (outside|negative shift)"):
        multiplier_and_shift(ratio)
