"""The target models: one transformer layer of one head, without normalization, over sixteen tokens.

x = E[token]; q, k, v = xWq, xWk, xWv; a = softmax(qKᵀ/√D)·V over all tokens so far; h = x + aWo; y = h +
relu(hW1)W2; logits = yWout; the next token is the first argmax (docs/architecture.md, section on the
language models).
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

import numpy as np

from refmodel.errors import Ga2Error
from refmodel.numerics.quantization import FloatArray

VOCABULARY = 16
WIDTH = 16
"""D, the length of an embedding, a query, a key and a value."""
FEED_FORWARD = 32
MAX_CONTEXT = 64
"""Tokens that a step can attend to: the longest inner dimension of the chip's matrix product."""
SCORE_FACTOR = 1.0 / math.sqrt(WIDTH)
"""What attention scores are multiplied by."""

SHARPNESS = 4.0
"""Factor on Wq and Wk of a sharp model: attention becomes selective, so that a wrong mask shows."""

TARGET_KINDS = ("structured", "random", "sharp")


@dataclass(frozen=True, eq=False)
class TargetModel:
    """The weights of one target, all float64; 2304 words."""

    kind: str
    """One of `TARGET_KINDS`."""
    seed: int
    embedding: FloatArray
    """(V, D)"""
    wq: FloatArray
    """(D, D), as are wk, wv and wo."""
    wk: FloatArray
    wv: FloatArray
    wo: FloatArray
    w1: FloatArray
    """(D, feed-forward)"""
    w2: FloatArray
    """(feed-forward, D)"""
    wout: FloatArray
    """(D, V)"""

    @property
    def name(self) -> str:
        """Return what messages call this target, such as random-3."""
        return f"{self.kind}-{self.seed}"

    @property
    def embedding_range(self) -> float:
        """The largest |E|, which is the range of every block of inputs."""
        return float(np.abs(self.embedding).max())


def make_target(kind: str, seed: int = 1) -> TargetModel:
    """Return the target called `kind`, one of `TARGET_KINDS`; Ga2Error for any other name."""
    if kind == "structured":
        return structured(seed)
    if kind == "random":
        return random_target(seed)
    if kind == "sharp":
        return sharp(seed)
    raise Ga2Error(f"unknown target {kind!r}: choose one of {', '.join(TARGET_KINDS)}")


def structured(seed: int = 1) -> TargetModel:
    """Return the target whose greedy tokens follow `rule`.

    Its embeddings are orthogonal (Hadamard rows / 4) and Wout[d][j] = 8·E[rule⁻¹(j)][d], so the residual
    stream votes for the rule; the layer itself is random, of standard deviation 0.45/√(rows), drawn as Wq,
    Wk, Wv, Wo, W1, W2.
    """
    embedding = _hadamard(VOCABULARY) / 4.0
    wout = np.empty((WIDTH, VOCABULARY))
    for token in range(VOCABULARY):
        wout[:, rule(token)] = 8.0 * embedding[token]
    return _with_layer("structured", seed, embedding, wout, 0.45, random.Random(seed))


def random_target(seed: int) -> TargetModel:
    """Return a target drawn entirely at random, in the order E, Wout, Wq, Wk, Wv, Wo, W1, W2.

    E has standard deviation 1 and is divided by 4; every other matrix has 1/√(rows).
    """
    source = random.Random(seed)
    embedding = _gaussian(source, VOCABULARY, WIDTH, 1.0) / 4.0
    wout = _gaussian(source, WIDTH, VOCABULARY, 1.0 / math.sqrt(WIDTH))
    return _with_layer("random", seed, embedding, wout, 1.0, source)


def sharp(seed: int) -> TargetModel:
    """Return the random target of this seed with Wq and Wk multiplied by `SHARPNESS`."""
    target = random_target(seed)
    return replace(target, kind="sharp", wq=SHARPNESS * target.wq, wk=SHARPNESS * target.wk)


def rule(token: int) -> int:
    """Return the successor that the structured target prefers: (5·token + 3) mod 16."""
    return (5 * token + 3) % VOCABULARY


def _with_layer(
    kind: str, seed: int, embedding: FloatArray, wout: FloatArray, deviation: float, source: random.Random
) -> TargetModel:
    """Draw the six matrices of the layer; keyword order is drawing order."""
    square = deviation / math.sqrt(WIDTH)
    return TargetModel(
        kind=kind,
        seed=seed,
        embedding=embedding,
        wout=wout,
        wq=_gaussian(source, WIDTH, WIDTH, square),
        wk=_gaussian(source, WIDTH, WIDTH, square),
        wv=_gaussian(source, WIDTH, WIDTH, square),
        wo=_gaussian(source, WIDTH, WIDTH, square),
        w1=_gaussian(source, WIDTH, FEED_FORWARD, square),
        w2=_gaussian(source, FEED_FORWARD, WIDTH, deviation / math.sqrt(FEED_FORWARD)),
    )


def _gaussian(source: random.Random, rows: int, columns: int, deviation: float) -> FloatArray:
    """Draw a matrix row by row."""
    return np.array([[source.gauss(0.0, deviation) for _ in range(columns)] for _ in range(rows)])


def _hadamard(order: int) -> FloatArray:
    """Return Sylvester's Hadamard matrix, [[H, H], [H, −H]] from [[1]]."""
    matrix = np.ones((1, 1))
    while len(matrix) < order:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix
