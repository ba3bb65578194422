"""The float verifier block against the one-token float step, which is what speculative decoding rests on."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.language.float_model import FloatLayer, causal_mask, float_block, float_step
from refmodel.language.rollout import greedy_rollout
from refmodel.language.target import WIDTH, TargetModel, random_target, sharp, structured
from refmodel.numerics.quantization import FloatArray

TOLERANCE = 1e-9


def random_tokens(count: int, seed: int) -> list[int]:
    tokens: list[int] = np.random.default_rng(seed).integers(0, 16, count).tolist()
    return tokens


def cache_of(target: TargetModel, tokens: list[int]) -> tuple[FloatArray, FloatArray]:
    """Feed tokens through float steps and return the keys and values (c, D) they leave."""
    keys = values = np.empty((0, WIDTH))
    for token in tokens:
        layer = float_step(target, target.embedding[[token]], keys, values)
        keys, values = np.vstack([keys, layer.k]), np.vstack([values, layer.v])
    return keys, values


def assert_same_row(block: FloatLayer, row: int, step: FloatLayer) -> None:
    for name in ("attn", "logits", "k", "v", "y"):
        difference = getattr(block, name)[row] - getattr(step, name)[0]
        assert np.abs(difference).max() < TOLERANCE, name


@pytest.mark.parametrize("rows", [1, 2, 4, 5])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_block_equals_the_step_row_by_row(seed: int, rows: int) -> None:
    target = random_target(seed)
    keys, values = cache_of(target, random_tokens(4, seed))
    tokens = random_tokens(rows, seed + 100)
    block = float_block(target, target.embedding[tokens], keys, values)
    for row, token in enumerate(tokens):
        step = float_step(target, target.embedding[[token]], keys, values)
        assert_same_row(block, row, step)
        keys, values = np.vstack([keys, step.k]), np.vstack([values, step.v])


def test_a_padded_batch_equals_its_elements() -> None:
    target = sharp(2)
    lengths = np.array([0, 3, 7])
    caches = [cache_of(target, random_tokens(length, length)) for length in lengths]
    x = target.embedding[np.array([random_tokens(4, 10 + element) for element in range(3)])]
    keys, values = np.full((2, 3, 7, WIDTH), 1e3)  # whatever lies beyond the cache must not matter
    for element, (own_keys, own_values) in enumerate(caches):
        keys[element, : lengths[element]] = own_keys
        values[element, : lengths[element]] = own_values
    batch = float_block(target, x, keys, values, lengths)
    for element, (own_keys, own_values) in enumerate(caches):
        single = float_block(target, x[element], own_keys, own_values)
        assert np.abs(batch.logits[element] - single.logits).max() < TOLERANCE


def test_the_mask_hides_what_comes_later_and_the_padding() -> None:
    visible = causal_mask(cached=2, capacity=3, rows=2) == 0.0
    assert visible.tolist() == [[True, True, False, True, False], [True, True, False, True, True]]
    assert np.unique(causal_mask(2, 3, 2)).tolist() == [-1e30, 0.0]


def test_the_structured_target_follows_its_rule_from_every_start() -> None:
    tokens = greedy_rollout(structured(), 32).tokens
    assert (tokens[:, 1:] == (5 * tokens[:, :-1] + 3) % 16).all()


def test_a_rollout_equals_single_steps() -> None:
    target = random_target(5)
    run = greedy_rollout(target, 12)
    for start in (0, 9):
        tokens = [start]
        for _ in range(12):
            keys, values = cache_of(target, tokens[:-1])
            logits = float_step(target, target.embedding[[tokens[-1]]], keys, values).logits
            tokens.append(int(logits.argmax()))
        assert run.tokens[start].tolist() == tokens
        keys, values = cache_of(target, tokens[:-1])
        assert np.abs(run.keys[start] - keys).max() < TOLERANCE
        assert np.abs(run.values[start] - values).max() < TOLERANCE
