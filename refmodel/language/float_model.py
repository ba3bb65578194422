"""The target in floating point: the one-token step, and the verifier block with an explicit mask.

Both accept leading batch axes. They are written separately on purpose: that the block equals the step is
what makes speculative decoding right, so it is tested and not assumed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refmodel.language.target import SCORE_FACTOR, TargetModel
from refmodel.numerics.quantization import FloatArray

MASKED = -1e30
"""Added to the score of a token that a row must not see; its probability is then exactly 0."""


@dataclass(frozen=True, eq=False)
class FloatLayer:
    """Every tensor of one evaluation that has a role in scale planning; shapes (…, m, columns)."""

    x: FloatArray
    q: FloatArray
    k: FloatArray
    """Keys of the new tokens only."""
    v: FloatArray
    attn: FloatArray
    wo: FloatArray
    """The output projection."""
    h: FloatArray
    """x + wo"""
    relu: FloatArray
    ffn: FloatArray
    y: FloatArray
    """h + ffn"""
    logits: FloatArray


def float_step(target: TargetModel, x: FloatArray, keys: FloatArray, values: FloatArray) -> FloatLayer:
    """Evaluate one token, x of shape (…, 1, D), over all c cached rows (…, c, D)."""
    q, k, v = x @ target.wq, x @ target.wk, x @ target.wv
    scores = q @ _transposed(np.concatenate([keys, k], axis=-2)) * SCORE_FACTOR
    attention = _softmax(scores) @ np.concatenate([values, v], axis=-2)
    return _rest_of_layer(target, x, q, k, v, attention)


def float_block(
    target: TargetModel,
    x: FloatArray,
    keys: FloatArray,
    values: FloatArray,
    cached: NDArray[np.integer] | int | None = None,
) -> FloatLayer:
    """Evaluate m tokens at once, x of shape (…, m, D): row i sees the cache and the rows 0..i of the block.

    Of the cache (…, c, D) only the first `cached` rows count: one number, or one for each element of a
    batch whose caches are padded (finitely) to a common length; all c by default.
    """
    q, k, v = x @ target.wq, x @ target.wk, x @ target.wv
    mask = causal_mask(keys.shape[-2] if cached is None else cached, keys.shape[-2], x.shape[-2])
    scores = q @ _transposed(np.concatenate([keys, k], axis=-2)) * SCORE_FACTOR + mask
    attention = _softmax(scores) @ np.concatenate([values, v], axis=-2)
    return _rest_of_layer(target, x, q, k, v, attention)


def causal_mask(cached: NDArray[np.integer] | int, capacity: int, rows: int) -> FloatArray:
    """Return what to add to scores (…, rows, capacity + rows): 0 where visible, `MASKED` elsewhere."""
    column = np.arange(capacity + rows)
    row = np.arange(rows)[:, None]
    in_cache = column < np.asarray(cached)[..., None, None]
    in_block = (column >= capacity) & (column - capacity <= row)
    return np.where(in_cache | in_block, 0.0, MASKED)


def _rest_of_layer(
    target: TargetModel, x: FloatArray, q: FloatArray, k: FloatArray, v: FloatArray, attention: FloatArray
) -> FloatLayer:
    """Compute what follows attention, row by row independent."""
    projected = attention @ target.wo
    h = x + projected
    hidden = np.maximum(h @ target.w1, 0.0)
    product = hidden @ target.w2
    y = h + product
    return FloatLayer(x, q, k, v, attention, projected, h, hidden, product, y, y @ target.wout)


def _softmax(scores: FloatArray) -> FloatArray:
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    probabilities: FloatArray = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return probabilities


def _transposed(matrix: FloatArray) -> FloatArray:
    return np.swapaxes(matrix, -1, -2)
