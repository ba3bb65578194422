"""The two verification operations of speculative decoding, on the host side.

Both take the target's K + 1 rows for [last committed token, guess 1, …, guess K], decide how many guesses
stand and choose the token that follows them. Both are lazy: no row after the deciding one is read or
validated.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from refmodel.numerics.quantization import FloatArray
from refmodel.speculative.probability_rows import (
    DraftTokens,
    ProbabilityRows,
    check_rows,
    check_vocabulary,
    checked_tokens,
    first_maximum_reader,
    masses,
)


def verify_greedy(target_probs: ProbabilityRows, draft_tokens: DraftTokens) -> tuple[int, int]:
    """Accept guesses while each equals the first argmax of its row; return (n_accepted, next_token).

    `target_probs` is (K + 1, V) masses of any floating dtype, `draft_tokens` K tokens. `next_token` is the
    argmax of the row that decided: the first that disagrees, else row K. Raises ValueError for bad shapes,
    a guess outside the vocabulary, and a row that was read and holds a NaN, an infinity, a negative mass or
    no mass.
    """
    tokens = checked_tokens(draft_tokens)
    check_rows(target_probs, len(tokens) + 1, None, "target_probs")
    check_vocabulary(tokens, target_probs.shape[1])
    first_maximum = first_maximum_reader(target_probs)
    for position, guess in enumerate(tokens):
        choice = first_maximum(position)
        if choice != guess:
            return position, choice
    return len(tokens), first_maximum(len(tokens))


def accept(
    target_probs: ProbabilityRows,
    draft_probs: ProbabilityRows,
    draft_tokens: DraftTokens,
    generator: np.random.Generator,
) -> tuple[int, int]:
    """Accept guesses so that the output follows the target's distribution; return (n_accepted, next_token).

    `target_probs` is (K + 1, V) and `draft_probs` (K, V) masses of any floating dtype, guess i drawn from
    row i of `draft_probs`. With p and q the normalized rows, guess t is accepted with probability min(1,
    p(t)/q(t)); the first rejected one is replaced by a sample from the normalized positive part of p − q,
    and when all are accepted a token is sampled from row K (Leviathan et al., "Fast inference from
    transformers via speculative decoding", 2023). A guess to which the target or the draft itself gives no
    mass is never accepted. Draws one uniform number a guess looked at and one for the sample, all from
    `generator`.

    Raises ValueError as `verify_greedy` does, for the rows of both arrays.
    """
    tokens = checked_tokens(draft_tokens)
    check_rows(target_probs, len(tokens) + 1, None, "target_probs")
    vocabulary = target_probs.shape[1]
    check_rows(draft_probs, len(tokens), vocabulary, "draft_probs")
    check_vocabulary(tokens, vocabulary)
    for position, guess in enumerate(tokens):
        target = masses(target_probs, position, "target_probs")
        draft = masses(draft_probs, position, "draft_probs")
        # u < p/q without the division; strict, and u may be 0, so that p = 0 or q = 0 never passes.
        if not generator.random() * draft[guess] < target[guess] or draft[guess] == 0.0:
            return position, _sample(_residual(target, draft), generator)
    return len(tokens), _sample(masses(target_probs, len(tokens), "target_probs"), generator)


def greedy_rows(choices: Sequence[int], vocabulary: int) -> FloatArray:
    """Return the rows (len(choices), V) of a target that always takes `choices`: all mass on one token."""
    rows = np.zeros((len(choices), vocabulary))
    rows[np.arange(len(choices)), choices] = 1.0
    return rows


def _residual(target: FloatArray, draft: FloatArray) -> FloatArray:
    """Return the positive part of p − q, or p where that is empty.

    It is empty only when p = q, and then only a guess that neither could have drawn is rejected.
    """
    positive: FloatArray = np.maximum(target - draft, 0.0)
    return positive if positive.any() else target


def _sample(weights: FloatArray, generator: np.random.Generator) -> int:
    """Draw a token in proportion to `weights` (V), not all 0; a token without mass is never drawn."""
    cumulative = np.cumsum(weights / weights.max())
    # side="right": the first token whose cumulative mass exceeds the draw, hence one with mass of its own.
    return int(np.searchsorted(cumulative, generator.random() * cumulative[-1], side="right"))
