"""The vector arithmetic against exact rational arithmetic."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refmodel.numerics.integer import (
    SOFTMAX_TABLE,
    requantize,
    saturating_add,
    softmax_row,
)

HALF = Fraction(1, 2)
INT32_EDGES = [0, 1, -1, 2, -2, 127, -127, 128, -128, 2**31 - 1, -(2**31 - 1), -(2**31)]

accumulators = st.one_of(
    st.integers(-(2**31), 2**31 - 1), st.integers(-300, 300), st.sampled_from(INT32_EDGES)
)
multipliers = st.one_of(st.integers(0, 2**24 - 1), st.sampled_from([0, 1, 2**23, 2**24 - 1]))
int8_values = st.integers(-128, 127)


def exact_requantize(acc: int, multiplier: int, shift: int, relu: bool) -> int:
    scaled = Fraction(abs(acc) * multiplier, 2**shift)
    # With shift 0 there is nothing to round; otherwise half away from zero.
    magnitude = math.floor(scaled + HALF) if shift else int(scaled)
    signed = magnitude if acc >= 0 else -magnitude
    return min(max(signed, 0 if relu else -127), 127)


def exact_softmax(scores: list[int]) -> list[int]:
    exponentials = [exact_exponential(max(scores) - score) for score in scores]
    reciprocal = math.floor(Fraction(2**38, sum(exponentials)))
    return [math.floor(Fraction(exponential * reciprocal, 2**22) + HALF) for exponential in exponentials]


def exact_exponential(difference: int) -> int:
    with localcontext() as context:
        context.prec = 60
        real = 65535 * (Decimal(-difference) / 16).exp()
        return math.floor(Fraction(real) + HALF)


def test_softmax_table_is_the_rounded_exponential() -> None:
    assert SOFTMAX_TABLE.tolist() == [exact_exponential(difference) for difference in range(256)]
    assert SOFTMAX_TABLE[0] == 65535


@given(st.lists(accumulators, min_size=1, max_size=20), multipliers, st.integers(0, 63), st.booleans())
@example([1, -1, 3, -3], 2**23, 24, False)  # halves, of both signs
@example([-(2**31), 2**31 - 1], 2**24 - 1, 55, False)  # the last shift that can give 1
@example([-(2**31), 2**31 - 1], 2**24 - 1, 63, True)
def test_requantize_is_exact(accs: list[int], multiplier: int, shift: int, relu: bool) -> None:
    found = requantize(np.array(accs, dtype=np.int32), multiplier, shift, relu)
    assert found.tolist() == [exact_requantize(acc, multiplier, shift, relu) for acc in accs]


@pytest.mark.parametrize("shift", range(64))
def test_requantize_is_exact_at_every_shift(shift: int) -> None:
    for multiplier in (0, 1, 3, 2**23, 2**23 + 1, 2**24 - 1):
        # Accumulators on both sides of the ties at this shift, wherever an int32 reaches one.
        ties = [
            round(Fraction(2 * step + 1, 2) * 2**shift / multiplier) if multiplier else 0
            for step in (0, 1, 126)
        ]
        near = [tie + offset for tie in ties for offset in (-1, 0, 1) if abs(tie) < 2**31 - 2]
        accs = INT32_EDGES + near + [-acc for acc in near]
        found = requantize(np.array(accs, dtype=np.int64), multiplier, shift)
        assert found.tolist() == [exact_requantize(acc, multiplier, shift, False) for acc in accs]


def test_requantize_hand_computed() -> None:
    # 3·2^23 / 2^24 = 1.5 is rounded away from zero; 2^31·(2^24 − 1) is just under 2^55.
    assert requantize(np.array([3, -3, 1, -1]), 2**23, 24).tolist() == [2, -2, 1, -1]
    assert requantize(np.array([-(2**31)]), 2**24 - 1, 55).tolist() == [-1]
    assert requantize(np.array([-(2**31)]), 2**24 - 1, 56).tolist() == [0]
    assert requantize(np.array([200, -200]), 1, 0).tolist() == [127, -127]
    assert requantize(np.array([200, -200]), 1, 0, relu=True).tolist() == [127, 0]


@given(st.lists(int8_values, min_size=1, max_size=80))
@example([127, 127, -48, -48])
@example([-128])
@example([127, -128])
def test_softmax_is_exact(scores: list[int]) -> None:
    assert softmax_row(np.array(scores, dtype=np.int8)).tolist() == exact_softmax(scores)


def test_softmax_hand_computed() -> None:
    assert softmax_row(np.array([-5])).tolist() == [65536]
    # The tie that tells the rounding constant: 2^38 / (2·65535 + 2·1) = 2^38 / 131072 = 2^21 exactly, so the
    # small terms are (1·2^21 + 2^21) >> 22 = 1.
    assert softmax_row(np.array([127, 127, -48, -48])).tolist() == [32768, 32768, 1, 1]


def test_softmax_of_the_longest_row_stays_exact() -> None:
    scores = np.random.default_rng(1).integers(-128, 128, size=4095)
    assert softmax_row(scores).tolist() == exact_softmax(scores.tolist())


@given(st.lists(st.tuples(int8_values, int8_values), min_size=1, max_size=20))
@example([(127, 1), (-128, -128), (-127, -1), (127, -128)])
def test_saturating_add(pairs: list[tuple[int, int]]) -> None:
    left, right = np.array(pairs, dtype=np.int8).T
    assert saturating_add(left, right).tolist() == [min(max(sum(pair), -127), 127) for pair in pairs]


def test_arguments_are_left_alone() -> None:
    words = np.array([100, -100, 5], dtype=np.int64)
    original = words.copy()
    requantize(words, 2**23, 24)
    softmax_row(words)
    saturating_add(words, words)
    assert (words == original).all()
