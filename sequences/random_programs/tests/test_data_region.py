"""What the words of each profile look like."""

import numpy as np
import pytest

from refmodel.numerics.integer import softmax_exponentials
from sequences.random_programs.data_region import DataRegion, Profile, paint


def _signed(profile: Profile, length: int = 500, seed: int = 3, exponent: int = 0) -> list[int]:
    values: list[int] = DataRegion(0, length, profile, seed, exponent).words().view(np.int32).tolist()
    assert len(values) == length
    return values


@pytest.mark.parametrize("profile", Profile)
def test_words_follow_from_the_seed(profile: Profile) -> None:
    region = DataRegion(0, 64, profile, 5)
    assert np.array_equal(region.words(), DataRegion(9, 64, profile, 5).words())
    assert region.words().dtype == np.uint32
    seeds = {tuple(DataRegion(0, 64, profile, seed).words().tolist()) for seed in range(20)}
    assert len(seeds) > 10


def test_small_values() -> None:
    assert set(_signed(Profile.INT8, 5000)) == set(range(-128, 128))
    assert set(_signed(Profile.NEAR_INT8)) == {*range(-128, -123), *range(124, 128)}


def test_large_values() -> None:
    ends = {*range(-(1 << 31), -(1 << 31) + 4), *range((1 << 31) - 4, 1 << 31)}
    assert set(_signed(Profile.NEAR_INT32)) == ends
    assert max(_signed(Profile.UNIFORM)) > 1 << 30


@pytest.mark.parametrize("exponent", [0, 5, 29, 30, 31])
def test_ties_are_odd_multiples_of_both_signs(exponent: int) -> None:
    for profile, signs in (
        (Profile.TIES, {True, False}),
        (Profile.POSITIVE_TIES, {False}),
        (Profile.NEGATIVE_TIES, {True}),
    ):
        values = _signed(profile, exponent=exponent)
        assert all(abs(value) >> exponent & 1 and abs(value) % (1 << exponent) == 0 for value in values)
        if exponent < 31:
            assert {value < 0 for value in values} == signs
        else:
            assert set(values) == {-(1 << 31)}


@pytest.mark.parametrize("length", [4, 5, 64, 4095])
def test_softmax_ties_are_ties(length: int) -> None:
    for seed in range(20):
        scores = np.array(_signed(Profile.SOFTMAX_TIES, length, seed))
        assert scores.min() >= -128
        exponentials = softmax_exponentials(scores)
        reciprocal = (1 << 38) // int(exponentials.sum())
        # p = (e·r + 2^21) >> 22 rounds exactly one half where e·r is an odd multiple of 2^21.
        assert (exponentials * reciprocal % (1 << 22) == 1 << 21).sum() == 4


def test_special_shapes() -> None:
    assert all(len(set(_signed(Profile.CONSTANT, seed=seed))) == 1 for seed in range(20))
    assert all(np.count_nonzero(_signed(Profile.ONE_HOT, seed=seed)) == 1 for seed in range(20))
    assert 20 < np.count_nonzero(_signed(Profile.SPARSE)) < 130


def test_regions_are_painted_in_order_and_wrap() -> None:
    base = DataRegion(0, 10, Profile.UNIFORM, 1)
    over = DataRegion(6, 8, Profile.INT8, 2)
    image = paint([base, over], 10)
    expected = base.words().copy()
    expected[6:10] = over.words()[:4]
    expected[:4] = over.words()[4:]
    assert np.array_equal(image, expected)
    assert np.array_equal(paint([over], 20), np.concatenate([np.zeros(6, np.uint32), over.words()]))
    assert len(paint([], 20)) == 0
