"""`verify_greedy` on rows worked out by hand, on every dtype, on bad rows, and on rows it must not read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from refmodel.speculative.tests.rows import FLOAT_DTYPES, poisoned, random_rows, watched
from refmodel.speculative.verification import greedy_rows, verify_greedy

ROWS = np.array(
    [
        [0.1, 0.7, 0.2],
        [0.5, 0.0, 0.5],  # a tie, which the first maximum wins
        [0.0, 0.0, 3.0],  # not normalized
    ]
)
"""The choices are 1, 0, 2."""


@pytest.mark.parametrize(
    ("guesses", "expected"),
    [
        ([1, 0], (2, 2)),
        ([1, 2], (1, 0)),
        ([1, 1], (1, 0)),
        ([0, 0], (0, 1)),
        ([2, 2], (0, 1)),
    ],
)
def test_the_longest_agreeing_prefix_stands_and_the_deciding_row_chooses_the_next_token(
    guesses: list[int], expected: tuple[int, int]
) -> None:
    assert verify_greedy(ROWS, guesses) == expected
    assert verify_greedy(ROWS, np.array(guesses, dtype=np.int8)) == expected


def test_without_guesses_the_only_row_chooses() -> None:
    assert verify_greedy(ROWS[:1], []) == (0, 1)
    assert verify_greedy(ROWS[:1], np.array([], dtype=np.int64)) == (0, 1)


@pytest.mark.parametrize("dtype", FLOAT_DTYPES)
def test_every_floating_dtype_gives_the_same_decision(dtype: type[np.floating]) -> None:
    rows = ROWS.astype(dtype)
    assert verify_greedy(rows, [1, 0]) == (2, 2)
    assert verify_greedy(rows, [1, 1]) == (1, 0)


@pytest.mark.parametrize("dtype", FLOAT_DTYPES)
def test_a_difference_in_the_last_bit_decides(dtype: type[np.floating]) -> None:
    larger = np.nextafter(dtype(0.5), dtype(1.0))
    rows = np.array([[0.5, larger, 0.5], [larger, 0.5, larger]], dtype=dtype)
    assert verify_greedy(rows, [1]) == (1, 0)


def test_foreign_byte_order_and_strides_do_not_matter() -> None:
    assert verify_greedy(ROWS.astype(">f4"), [1, 0]) == (2, 2)
    assert verify_greedy(np.asfortranarray(ROWS), [1, 0]) == (2, 2)
    assert verify_greedy(np.repeat(ROWS, 2, axis=1)[:, ::2], [1, 0]) == (2, 2)


@given(
    st.lists(st.integers(0, 4), max_size=5),
    st.integers(0, 2**32 - 1),
    st.sampled_from(FLOAT_DTYPES),
)
def test_the_decision_is_the_one_of_all_argmaxes_compared_in_order(
    guesses: list[int], seed: int, dtype: type[np.floating]
) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 3, (len(guesses) + 1, 5)).astype(dtype)  # many ties
    rows[:, 4] += dtype(0.25)  # and no row without mass
    choices = rows.argmax(axis=1).tolist()
    agreeing = [guess == choice for guess, choice in zip(guesses, choices, strict=False)] + [False]
    accepted = agreeing.index(False)
    assert verify_greedy(rows, guesses) == (accepted, choices[accepted])


def test_greedy_rows_hold_the_choices() -> None:
    choices = [3, 0, 3]
    assert greedy_rows(choices, 5).tolist() == [[0, 0, 0, 1, 0], [1, 0, 0, 0, 0], [0, 0, 0, 1, 0]]
    assert verify_greedy(greedy_rows(choices, 5), [3, 1]) == (1, 0)


@pytest.mark.parametrize("deciding", range(5))
def test_no_row_after_the_deciding_one_is_touched(deciding: int) -> None:
    rows = random_rows(5, 8, seed=deciding)
    choices = rows.argmax(axis=1).tolist()
    guesses = choices[:4]
    if deciding < 4:
        guesses[deciding] = (guesses[deciding] + 1) % 8
    view = watched(poisoned(rows, deciding + 1))
    assert verify_greedy(view, guesses) == (deciding, choices[deciding])
    assert view.touched == set(range(deciding + 1))


@pytest.mark.parametrize("dtype", FLOAT_DTYPES)
@pytest.mark.parametrize(
    "row",
    [
        [0.2, np.nan, 0.8],
        [0.2, -np.nan, 0.8],
        [0.2, -0.1, 0.8],
        [0.8, 0.2, -np.inf],
        [0.2, np.inf, 0.8],
        [0.0, 0.0, 0.0],
        [0.0, -0.0, 0.0],
        [-1.0, -2.0, -3.0],
    ],
)
def test_a_row_that_is_read_and_is_no_row_of_masses_is_refused(
    dtype: type[np.floating], row: list[float]
) -> None:
    rows = np.array([[0.1, 0.7, 0.2], row, [1.0, 0.0, 0.0]], dtype=dtype)
    with pytest.raises(ValueError, match="row 1 of target_probs"):
        verify_greedy(rows, [1, 2])


def test_a_negative_zero_is_no_negative_mass() -> None:
    assert verify_greedy(np.array([[-0.0, 0.0, 0.5], [0.25, -0.0, 0.125]]), [2]) == (1, 0)


@pytest.mark.parametrize(
    ("rows", "guesses"),
    [
        (ROWS, [1]),
        (ROWS, [1, 0, 2]),
        (ROWS[0], [1]),
        (ROWS[:, :, None], [1, 0]),
        (ROWS[:, :0], [1, 0]),
        (ROWS[:0], []),
        (ROWS.astype(complex), [1, 0]),
        (ROWS.astype(np.int64), [1, 0]),
        (ROWS.astype(object), [1, 0]),
        (ROWS.tolist(), [1, 0]),
    ],
)
def test_rows_of_a_wrong_shape_or_kind_are_refused(rows: NDArray[np.floating], guesses: list[int]) -> None:
    with pytest.raises(ValueError, match="target_probs must"):
        verify_greedy(rows, guesses)


@pytest.mark.parametrize("token", [-1, 3, 2**40])
def test_a_guess_outside_the_vocabulary_is_refused_even_where_no_row_is_read(token: int) -> None:
    with pytest.raises(ValueError, match=f"draft token 1 is {token}, outside the vocabulary"):
        verify_greedy(ROWS, [0, token])


@pytest.mark.parametrize("guesses", [[1, 0.0], np.array([1.0, 0.0]), np.array([[1, 0], [1, 0]]), [None, 1]])
def test_guesses_that_are_no_integers_are_refused(guesses: list[int]) -> None:
    with pytest.raises(ValueError, match="draft_tokens must be a flat sequence of integers"):
        verify_greedy(ROWS, guesses)
