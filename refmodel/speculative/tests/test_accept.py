"""`accept`: its rule on draws made by hand, laziness, bad rows, and reproducibility."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from refmodel.speculative.tests.rows import FLOAT_DTYPES, poisoned, random_rows, watched
from refmodel.speculative.verification import accept


class ScriptedGenerator(np.random.Generator):
    """A generator whose uniform numbers are given; drawing more than that fails."""

    def __init__(self, *uniforms: float) -> None:
        super().__init__(np.random.PCG64(0))
        self.uniforms = list(uniforms)

    def random(self) -> float:  # type: ignore[override]
        return self.uniforms.pop(0)


TARGET = np.array([[0.2, 0.3, 0.5], [0.6, 0.2, 0.2]])
DRAFT = np.array([[0.1, 0.6, 0.3]])


@pytest.mark.parametrize(
    ("guess", "uniform", "accepted"),
    [
        (0, 0.999, True),  # p > q: always
        (2, 0.999, True),
        (1, 0.499, True),  # p / q = 1/2
        (1, 0.501, False),
        (1, 0.0, True),
    ],
)
def test_a_guess_is_accepted_with_probability_p_over_q(guess: int, uniform: float, accepted: bool) -> None:
    generator = ScriptedGenerator(uniform, 0.0)
    assert accept(TARGET, DRAFT, [guess], generator)[0] == int(accepted)
    assert not generator.uniforms, "one draw for the guess, one for the next token"


@pytest.mark.parametrize(("uniform", "token"), [(0.0, 0), (0.32, 0), (0.34, 2), (0.999999, 2)])
def test_after_a_rejection_the_positive_part_of_p_minus_q_is_sampled(uniform: float, token: int) -> None:
    # p − q = 0.1, −0.3, 0.2: token 0 has one third, token 2 two thirds.
    assert accept(TARGET, DRAFT, [1], ScriptedGenerator(0.9, uniform)) == (0, token)


@pytest.mark.parametrize(("uniform", "token"), [(0.0, 0), (0.59, 0), (0.61, 1), (0.79, 1), (0.81, 2)])
def test_after_full_acceptance_the_last_row_is_sampled(uniform: float, token: int) -> None:
    assert accept(TARGET, DRAFT, [0], ScriptedGenerator(0.5, uniform)) == (1, token)


def test_masses_are_summed_so_rows_need_not_be_normalized() -> None:
    scaled = [(TARGET * 7.0, DRAFT), (TARGET, DRAFT * 1e-3), (TARGET * 1e300, DRAFT * 1e-300)]
    for seed in range(50):
        expected = accept(TARGET, DRAFT, [1], np.random.default_rng(seed))
        for target, draft in scaled:
            assert accept(target, draft, [1], np.random.default_rng(seed)) == expected


@pytest.mark.parametrize("dtype", FLOAT_DTYPES)
def test_every_floating_dtype_is_taken(dtype: type[np.floating]) -> None:
    halves = np.array([[0.5, 0.5], [0.0, 1.0]], dtype=dtype)
    assert accept(halves, halves[:1], [0], np.random.default_rng(1)) == (1, 1)
    rejected = accept(halves, np.array([[1.0, 0.0]], dtype=dtype), [0], ScriptedGenerator(0.6, 0.5))
    assert rejected == (0, 1)


def test_the_largest_float16_masses_do_not_overflow() -> None:
    rows = np.full((2, 8), 65504, dtype=np.float16)
    assert accept(rows, rows[:1], [3], ScriptedGenerator(0.999, 0.99)) == (1, 7)


def test_a_guess_to_which_the_target_gives_no_mass_is_never_accepted() -> None:
    target = np.array([[0.0, 1.0], [0.5, 0.5]])
    draft = np.array([[1.0, 0.0]])
    assert accept(target, draft, [0], ScriptedGenerator(0.0, 0.0)) == (0, 1)
    for seed in range(200):
        assert accept(target, draft, [0], np.random.default_rng(seed)) == (0, 1)


def test_a_guess_that_the_draft_could_not_have_drawn_is_never_accepted() -> None:
    target = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    assert accept(target, np.array([[0.0, 1.0, 0.0]]), [0], ScriptedGenerator(0.0, 0.5)) == (0, 0)
    # Nothing is left of p − q here; then p itself is sampled.
    assert accept(target, target[:1], [2], ScriptedGenerator(0.0, 0.75)) == (0, 1)


def test_a_token_without_mass_is_never_sampled() -> None:
    rows = np.array([[0.0, 0.25, 0.0, 0.75, 0.0]])
    none = rows[:0]
    almost_one = np.nextafter(1.0, 0.0)
    assert accept(rows, none, [], ScriptedGenerator(0.0)) == (0, 1)
    assert accept(rows, none, [], ScriptedGenerator(almost_one)) == (0, 3)
    assert accept(rows * 5e-324 * 4, none, [], ScriptedGenerator(almost_one)) == (0, 3)


def test_equal_seeds_give_equal_results_and_different_seeds_do_not() -> None:
    target, draft = random_rows(5, 8, seed=1), random_rows(4, 8, seed=2)
    results = {accept(target, draft, [1, 2, 3, 4], np.random.default_rng(7)) for _ in range(10)}
    assert len(results) == 1
    assert len({accept(target, draft, [1, 2, 3, 4], np.random.default_rng(seed)) for seed in range(30)}) > 5


@pytest.mark.parametrize("deciding", range(5))
def test_no_row_after_the_deciding_one_is_touched(deciding: int) -> None:
    target = random_rows(5, 6, seed=deciding)
    draft = target[:4].copy()  # accepted for certain
    guesses = [0, 1, 2, 3]
    if deciding < 4:
        target[deciding, guesses[deciding]] = 0.0  # rejected for certain
    target_view = watched(poisoned(target, deciding + 1))
    draft_view = watched(poisoned(draft, deciding + 1))
    assert accept(target_view, draft_view, guesses, np.random.default_rng(0))[0] == deciding
    assert target_view.touched == set(range(deciding + 1))
    assert draft_view.touched == set(range(min(deciding + 1, 4)))


@pytest.mark.parametrize("dtype", FLOAT_DTYPES)
@pytest.mark.parametrize(
    "row",
    [[0.2, np.nan, 0.8], [0.2, -0.1, 0.8], [0.2, np.inf, 0.8], [-np.inf, 0.2, 0.8], [0.0, 0.0, 0.0]],
)
@pytest.mark.parametrize("name", ["target_probs", "draft_probs"])
def test_a_row_that_is_read_and_is_no_row_of_masses_is_refused(
    dtype: type[np.floating], row: list[float], name: str
) -> None:
    target = np.array([[0.2, 0.3, 0.5]] * 3, dtype=dtype)
    draft = target[:2].copy()
    (target if name == "target_probs" else draft)[1] = row
    with pytest.raises(ValueError, match=f"row 1 of {name}"):
        accept(target, draft, [2, 2], np.random.default_rng(0))


def test_a_bad_last_row_is_refused_when_all_guesses_are_accepted() -> None:
    target = np.array([[0.5, 0.5], [0.0, 0.0]])
    with pytest.raises(ValueError, match="row 1 of target_probs has no mass"):
        accept(target, target[:1], [0], np.random.default_rng(0))


@pytest.mark.parametrize(
    ("target", "draft", "guesses", "name"),
    [
        (TARGET, DRAFT, [0, 1], "target_probs"),
        (TARGET[:1], DRAFT, [0], "target_probs"),
        (TARGET[0], DRAFT, [0], "target_probs"),
        (TARGET, TARGET, [0], "draft_probs"),
        (TARGET, DRAFT[:0], [0], "draft_probs"),
        (TARGET, DRAFT[:, :2], [0], "draft_probs"),
        (TARGET, DRAFT[0], [0], "draft_probs"),
        (TARGET, DRAFT.astype(int), [0], "draft_probs"),
    ],
)
def test_rows_of_a_wrong_shape_or_kind_are_refused(
    target: NDArray[np.floating], draft: NDArray[np.floating], guesses: list[int], name: str
) -> None:
    with pytest.raises(ValueError, match=f"{name} must"):
        accept(target, draft, guesses, np.random.default_rng(0))


@pytest.mark.parametrize("token", [-1, 3])
def test_a_guess_outside_the_vocabulary_is_refused(token: int) -> None:
    with pytest.raises(ValueError, match="outside the vocabulary"):
        accept(TARGET, DRAFT, [token], np.random.default_rng(0))
