"""Fewer items and smaller numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verif.shrinking.reduction import fewer, smaller
from verif.shrinking.search import Trials

_T = TypeVar("_T")


def attempt_if(condition: Callable[[_T], bool], tried: list[_T]) -> Callable[[_T], Trials[bool]]:
    def attempt(value: _T) -> Trials[bool]:
        tried.append(value)
        return condition(value)
        yield

    return attempt


def result(trials: Trials[_T]) -> _T:
    with pytest.raises(StopIteration) as end:
        next(trials)
    value: _T = end.value.value
    return value


@given(st.integers(0, 40), st.sets(st.integers(0, 39)))
def test_exactly_the_needed_items_are_left_of_a_few(count: int, needed: set[int]) -> None:
    needed = {each % count for each in needed} if count else set()
    tried: list[Sequence[int]] = []
    left = result(fewer(range(count), attempt_if(lambda kept: needed <= set(kept), tried)))
    if len(needed) <= 16:
        assert left == sorted(needed)
    assert needed <= set(left)
    assert len(tried) <= 2 * count + 20


def test_long_sequences_are_not_tried_item_by_item() -> None:
    tried: list[Sequence[int]] = []
    left = result(fewer(range(4096), attempt_if(lambda kept: len(kept) == 4096, tried)))
    assert len(left) == 4096
    assert len(tried) == 1 + 2 + 4 + 8 + 16


def test_one_of_many_is_found_in_a_few_trials() -> None:
    tried: list[Any] = []
    assert result(fewer(range(4096), attempt_if(lambda kept: 1234 in kept, tried))) == [1234]
    assert len(tried) <= 2 * 12 + 2


@given(st.integers(0, 1 << 24), st.integers(0, 1 << 24), st.integers(0, 100))
def test_a_threshold_is_found(value: int, threshold: int, least: int) -> None:
    tried: list[int] = []
    left = result(smaller(value, attempt_if(lambda number: number >= threshold, tried), least))
    assert left == (max(threshold, least) if max(threshold, least) < value else value)
    assert all(least <= number < value for number in tried)
    assert len(tried) <= 2 + 24 + 24 + 25


@given(st.integers(0, (1 << 24) - 1), st.integers(0, 23))
def test_a_single_bit_is_left(value: int, bit: int) -> None:
    value |= 1 << bit
    left = result(smaller(value, attempt_if(lambda number: bool(number >> bit & 1), [])))
    assert left == 1 << bit
