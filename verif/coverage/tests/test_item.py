"""Items: from indices to bins of the whole model."""

import numpy as np
import pytest

from verif.coverage.dimension import NO_BIN, Dimension, ranges
from verif.coverage.errors import CoverageError
from verif.coverage.item import CoverageItem, Impossible

ITEM = CoverageItem(
    name="guesses",
    family="loop",
    description="How many guesses stand.",
    feature="host-loop",
    goal=100,
    phrase="{accepted} of {k} guesses, {how}",
    dimensions=(
        ranges("k", ["0", "1", "2"], "any"),
        ranges("accepted", ["0", "1", "2"], "any"),
        Dimension("how", ("plain", "sharp"), False, "any"),
    ),
    impossible=(Impossible({"k": ("0",), "accepted": ("1", "2")}, "more than there are"),),
    first=100,
)


def test_numbers_run_through_the_last_dimension_first() -> None:
    assert ITEM.named("1", "0", "sharp").tolist() == [100 + 1 * 6 + 0 * 2 + 1]
    assert ITEM.hits([2, 2], [0, 1], 1).tolist() == [100 + 13, 100 + 15]
    assert ITEM.hits(np.array([[1], [2]]), np.array([0, 1]), 0).tolist() == [106, 108, 112, 114]


def test_what_is_in_no_bin_is_left_out() -> None:
    assert ITEM.hits([1, NO_BIN, 2], [0, 0, NO_BIN], 0).tolist() == [106]
    assert ITEM.hits(NO_BIN, 0, 0).tolist() == []


def test_impossible_combinations_are_no_bins() -> None:
    assert ITEM.size == 18
    assert ITEM.bins == 14
    assert 2 not in set(ITEM.bin_numbers())
    assert ITEM.why_impossible((0, 1, 1)) == "more than there are"


def test_hitting_the_impossible_is_an_error_that_says_what() -> None:
    with pytest.raises(CoverageError, match=r"guesses: 1 of 0 guesses, sharp was hit, which .* impossible"):
        ITEM.hits([2, 0], [2, 1], 1)


def test_bins_in_words() -> None:
    assert ITEM.words(15) == "1 of 2 guesses, sharp"
    assert ITEM.indices_of(15) == (2, 1, 1)
    assert ITEM.number_of((2, 1, 1)) == 15
