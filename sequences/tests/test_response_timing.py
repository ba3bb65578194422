"""The cycles in which reads are answered, pattern by pattern, against lists worked out by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sequences.response_timing import LONGEST_BURST, ResponseTimer
from sequences.stimulus import DELAY_PATTERNS, DelayPattern, ResponseDelays


def answers(pattern: DelayPattern, requests: list[int], lengths: list[int], longest: int = 9) -> list[int]:
    timer = ResponseTimer(ResponseDelays(7, longest, 2, pattern), lengths)
    return [timer.answer_cycle(cycle) for cycle in requests]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("shortest", [12, 13, 14, 15, 42, 43]),
        ("longest", [19, 20, 21, 22, 49, 50]),
        ("alternating", [12, 20, 21, 22, 42, 50]),
        ("long-first", [19, 20, 21, 22, 49, 50]),
        ("long-last", [12, 13, 14, 22, 42, 50]),
    ],
)
def test_two_loads_of_four_and_two_words(pattern: DelayPattern, expected: list[int]) -> None:
    assert answers(pattern, [10, 11, 12, 13, 40, 41], [4, 2]) == expected


def test_requests_with_gaps_tell_long_first_from_longest() -> None:
    requests = [10, 30, 31, 60]
    assert answers("long-first", requests, [4]) == [19, 32, 33, 62]
    assert answers("longest", requests, [4]) == [19, 39, 40, 69]


def test_bursts_have_gaps_between_rows_of_one_to_eight() -> None:
    cycles = answers("bursts", list(range(10, 1010)), [1000], longest=20)
    rows = [1]
    for before, after in pairwise(cycles):
        if after == before + 1:
            rows[-1] += 1
        else:
            assert 1 < after - before <= 19
            rows.append(1)
    assert len(rows) > 100
    assert sum(row <= LONGEST_BURST for row in rows) > len(rows) / 2
    assert min(rows) == 1


@given(
    pattern=st.sampled_from(DELAY_PATTERNS),
    steps=st.lists(st.integers(1, 30), min_size=1, max_size=60),
    shortest=st.integers(1, 9),
    more=st.integers(0, 30),
    seed=st.integers(0, 99),
)
def test_answers_are_in_order_and_never_too_early(
    pattern: DelayPattern, steps: list[int], shortest: int, more: int, seed: int
) -> None:
    requests = [sum(steps[: number + 1]) for number in range(len(steps))]
    delays = ResponseDelays(seed, shortest + more, shortest, pattern)
    timer = ResponseTimer(delays, [3] * len(requests))
    cycles = [timer.answer_cycle(cycle) for cycle in requests]
    assert all(after > before for before, after in pairwise(cycles))
    assert all(answer >= request + shortest for request, answer in zip(requests, cycles, strict=True))
    again = ResponseTimer(delays, [3] * len(requests))
    assert [again.answer_cycle(cycle) for cycle in requests] == cycles
