"""The weights: drawn as documented, in order, from the documented source."""

from __future__ import annotations

import random

import numpy as np
import pytest

from refmodel.errors import Ga2Error
from refmodel.language.target import (
    FEED_FORWARD,
    VOCABULARY,
    WIDTH,
    TargetModel,
    make_target,
    random_target,
    rule,
    sharp,
    structured,
)

WEIGHTS = ("wq", "wk", "wv", "wo", "w1", "w2", "wout")


def test_a_target_has_2304_weight_words() -> None:
    target = structured()
    assert sum(getattr(target, name).size for name in WEIGHTS) == 2304
    assert target.embedding.shape == (VOCABULARY, WIDTH)
    assert target.w1.shape == (WIDTH, FEED_FORWARD)


def test_structured_embeddings_are_orthogonal_quarter_signs() -> None:
    embedding = structured().embedding
    assert set(np.unique(embedding)) == {-0.25, 0.25}
    assert (embedding @ embedding.T == np.eye(VOCABULARY)).all()
    assert (embedding[0] == 0.25).all()
    assert (embedding[1, ::2] == 0.25).all()
    assert (embedding[1, 1::2] == -0.25).all()
    assert (embedding[8, :8] == 0.25).all()
    assert (embedding[8, 8:] == -0.25).all()


def test_structured_output_weights_vote_for_the_rule() -> None:
    target = structured()
    votes = target.embedding @ target.wout
    for token in range(VOCABULARY):
        assert votes[token].tolist() == [8.0 if j == (5 * token + 3) % 16 else 0.0 for j in range(16)]
        assert rule(token) == (5 * token + 3) % 16


def drawn(target: TargetModel, source: random.Random, draws: list[tuple[str, float, float]]) -> None:
    """Compare matrices (name, deviation, divisor) with a fresh sequence of draws, element by element."""
    for name, deviation, divisor in draws:
        for value in getattr(target, name).ravel().tolist():
            assert value == source.gauss(0.0, deviation) / divisor, name


def test_structured_layers_are_drawn_in_the_documented_order() -> None:
    square = 0.45 / 4.0
    draws = [(name, square, 1.0) for name in ("wq", "wk", "wv", "wo", "w1")]
    drawn(structured(1), random.Random(1), [*draws, ("w2", 0.45 / 32**0.5, 1.0)])


@pytest.mark.parametrize("seed", [1, 7])
def test_random_targets_are_drawn_in_the_documented_order(seed: int) -> None:
    draws = [(name, 0.25, 1.0) for name in ("wout", "wq", "wk", "wv", "wo", "w1")]
    drawn(
        random_target(seed),
        random.Random(seed),
        [("embedding", 1.0, 4.0), *draws, ("w2", 1.0 / 32**0.5, 1.0)],
    )


def test_a_sharp_target_is_a_random_one_with_four_times_the_queries_and_keys() -> None:
    plain, selective = random_target(2), sharp(2)
    for name in ("embedding", *WEIGHTS):
        factor = 4.0 if name in ("wq", "wk") else 1.0
        assert (getattr(selective, name) == factor * getattr(plain, name)).all(), name


@pytest.mark.parametrize(("kind", "name"), [("structured", "structured-3"), ("sharp", "sharp-3")])
def test_targets_are_made_and_named_by_kind_and_seed(kind: str, name: str) -> None:
    assert make_target(kind, 3).name == name


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(Ga2Error, match="unknown target 'sharq': choose one of structured, random, sharp"):
        make_target("sharq")
