"""The laws of speculative sampling, each against a known distribution at the significance of `chi_square`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest

from refmodel.numerics.quantization import FloatArray
from refmodel.speculative.decoder import SpeculativeDecoder
from refmodel.speculative.tests.chi_square import NORMAL_QUANTILE, assert_distributed
from refmodel.speculative.tests.rows import random_rows
from refmodel.speculative.verification import accept

TRIALS = 6_000


def draw(row: FloatArray, generator: np.random.Generator) -> int:
    """Draw a token from a row of masses, independently of the code under test."""
    return int(generator.choice(len(row), p=row / row.sum()))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_first_token_of_a_block_has_the_targets_distribution(seed: int) -> None:
    generator = np.random.default_rng(seed)
    target, draft = random_rows(2, 8, seed), random_rows(1, 8, seed + 100)
    firsts = []
    for _ in range(TRIALS):
        guess = draw(draft[0], generator)
        accepted, next_token = accept(target, draft, [guess], generator)
        firsts.append(guess if accepted else next_token)
    assert_distributed(firsts, target[0])


def test_a_target_without_mass_on_some_tokens_never_emits_them() -> None:
    generator = np.random.default_rng(4)
    target = np.array([[0.0, 0.4, 0.0, 0.3, 0.3], [0.2, 0.2, 0.2, 0.2, 0.2]])
    draft = np.array([[0.5, 0.1, 0.3, 0.1, 0.0]])
    firsts = []
    for _ in range(TRIALS):
        guess = draw(draft[0], generator)
        accepted, next_token = accept(target, draft, [guess], generator)
        firsts.append(guess if accepted else next_token)
    assert_distributed(firsts, target[0])


@pytest.mark.parametrize(("vocabulary", "sharpness"), [(4, 1.0), (8, 3.0), (16, 0.3)])
def test_the_accepted_length_of_independent_rows_is_the_sum_of_powers_of_alpha(
    vocabulary: int, sharpness: float
) -> None:
    """A guess is accepted with probability α = Σ min(p, q), so P(a ≥ i) = αⁱ and the mean is Σ αⁱ."""
    guesses = 4
    generator = np.random.default_rng(vocabulary)
    p = random_rows(1, vocabulary, seed=5)[0] ** sharpness
    q = random_rows(1, vocabulary, seed=6)[0] ** sharpness
    p, q = p / p.sum(), q / q.sum()
    alpha = float(np.minimum(p, q).sum())
    target, draft = np.tile(p, (guesses + 1, 1)), np.tile(q, (guesses, 1))
    lengths = [
        accept(target, draft, [draw(q, generator) for _ in range(guesses)], generator)[0]
        for _ in range(TRIALS)
    ]
    powers = alpha ** np.arange(guesses + 1)
    exact = powers - np.append(powers[1:], 0.0)  # P(a = i) = αⁱ − αⁱ⁺¹, and α^K at K
    assert_distributed(lengths, exact)
    mean = float(powers[1:].sum())
    deviation = math.sqrt(float(np.arange(guesses + 1) ** 2 @ exact) - mean**2)
    assert abs(np.mean(lengths) - mean) < NORMAL_QUANTILE * deviation / math.sqrt(TRIALS)


@pytest.mark.parametrize("k", [1, 4])
def test_decoded_sequences_have_the_distribution_of_sampling_the_target_directly(k: int) -> None:
    """Three tokens of a Markov chain over four: the distribution of all 64 sequences is known exactly."""
    target_chain, draft_chain = 0.3 + random_rows(4, 4, seed=11), random_rows(4, 4, seed=12)
    generator = np.random.default_rng(13 + k)

    def draft_step(prefix: Sequence[int], count: int) -> tuple[list[int], FloatArray]:
        tokens: list[int] = []
        rows = []
        for _ in range(count):
            rows.append(draft_chain[(tokens or prefix)[-1]])
            tokens.append(draw(rows[-1], generator))
        return tokens, np.array(rows)

    def target_step(prefix: Sequence[int], proposed: Sequence[int]) -> FloatArray:
        return target_chain[[prefix[-1], *proposed]]

    decoder = SpeculativeDecoder(draft_step, target_step, k, greedy=False, generator=generator)
    sequences = [decoder.generate([0], 3) for _ in range(4_000)]
    chain = target_chain / target_chain.sum(axis=1, keepdims=True)
    exact = np.array(
        [chain[0, a] * chain[a, b] * chain[b, c] for a, b, c in itertools.product(range(4), repeat=3)]
    )
    assert_distributed([16 * a + 4 * b + c for a, b, c in sequences], exact)
