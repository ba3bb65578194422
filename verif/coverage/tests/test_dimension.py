"""Bins of one dimension: which integer lies in which."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verif.coverage.dimension import NO_BIN, every, range_bounds, ranges


@given(
    st.lists(st.integers(-300, 300), min_size=1, max_size=8, unique=True), st.lists(st.integers(-310, 310))
)
def test_every_integer_is_found_where_its_range_says(ends: list[int], values: list[int]) -> None:
    """Ranges between every second pair of ends, so that there are gaps."""
    ends = sorted(ends)
    texts = [f"{low}..{high}" for low, high in zip(ends[::2], ends[1::2], strict=False)] or [str(ends[0])]
    found = ranges("x", texts, "any").indices(values)
    for value, index in zip(values, found.tolist(), strict=True):
        holding = [
            i for i, text in enumerate(texts) if range_bounds(text)[0] <= value <= range_bounds(text)[1]
        ]
        assert [index] == (holding or [NO_BIN])


def test_every_has_a_bin_an_integer() -> None:
    dimension = every("shift", "-1..2", "any")
    assert dimension.bins == ("-1", "0", "1", "2")
    assert dimension.indices(np.array([2, -1, 3, -2])).tolist() == [3, 0, NO_BIN, NO_BIN]


@pytest.mark.parametrize("texts", [["2..1"], ["1..3", "3..4"], ["5", "1"]])
def test_ranges_must_ascend(texts: list[str]) -> None:
    with pytest.raises(ValueError, match="does not ascend"):
        ranges("x", texts, "any")


def test_what_is_no_range_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'1-3' is no range of integers, such as 7 or 8\.\.63"):
        range_bounds("1-3")
