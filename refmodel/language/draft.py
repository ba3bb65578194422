"""The draft: a bigram table as one matrix product, logits = E[token]·Wd with E·Wd = L.

L holds a logit for each pair of a token and its successor. Equal logits happen in tables that were counted,
and then the rounding of E·Wd decides the float draft's guess. So Wd and the product are computed by
elementwise operations in a fixed order, which IEEE arithmetic makes the same on every machine; a linear
algebra library would make them its own.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np

from refmodel.language.rollout import greedy_rollout
from refmodel.language.target import VOCABULARY, TargetModel, rule
from refmodel.numerics.quantization import FloatArray

RULE_LOGIT = 8.0
"""Logit of the rule's successor in the structured target's table."""

COUNTED_STEPS = 24
"""Length of the greedy runs from which a table is counted."""

DraftKind = Literal["bigram", "contrary", "constant"]
"""The likely successor; the token after that one, which is almost always wrong; token 0 whatever comes."""

DRAFT_KINDS: tuple[DraftKind, ...] = get_args(DraftKind)


class Guesser(Protocol):
    """Whatever names a successor for a token."""

    def guess(self, token: int, /) -> int:
        """Return the token that is likely to follow `token`."""
        ...


@dataclass(frozen=True, eq=False)
class DraftModel:
    """The weights of one draft and the table they realize."""

    embedding: FloatArray
    """(V, D), the target's."""
    wd: FloatArray
    """(D, V)"""
    logits: FloatArray
    """(V, V): the float draft's logits after each token."""

    def guess(self, token: int) -> int:
        """Return the float draft's successor of `token`, the first argmax."""
        return int(self.logits[token].argmax())


def bigram_draft(target: TargetModel, noise: float = 0.0, seed: int = 1) -> DraftModel:
    """Return the target's bigram draft, blurred by gauss(0, noise) on every entry, row by row.

    The table is the rule itself for the structured target, and counted from greedy runs for any other.
    """
    return make_draft("bigram", target, noise, seed)


def make_draft(kind: DraftKind, target: TargetModel, noise: float = 0.0, seed: int = 1) -> DraftModel:
    """Return a draft of a target, blurred as `bigram_draft` is.

    A contrary draft is as sure of itself as the bigram draft, and one token off: the structured target never
    accepts a guess of it.
    """
    table = rule_table() if target.kind == "structured" else counted_table(target)
    if kind == "contrary":
        table = np.roll(table, 1, axis=1)
    elif kind == "constant":
        table = np.zeros_like(table)
        table[:, 0] = RULE_LOGIT
    source = random.Random(seed)
    blurred = [[entry + source.gauss(0.0, noise) for entry in row] for row in table.tolist()]
    wd = solve(target.embedding, np.array(blurred))
    return DraftModel(target.embedding, wd, _ordered_product(target.embedding, wd))


def rule_table() -> FloatArray:
    """Return the table (V, V) with `RULE_LOGIT` at each token's successor by the rule and 0 elsewhere."""
    table = np.zeros((VOCABULARY, VOCABULARY))
    for token in range(VOCABULARY):
        table[token, rule(token)] = RULE_LOGIT
    return table


def counted_table(target: TargetModel) -> FloatArray:
    """Return 4·ln(V·count/total) of the successors in greedy runs, with counts that start at 1/2."""
    counts = np.full((VOCABULARY, VOCABULARY), 0.5)
    tokens = greedy_rollout(target, COUNTED_STEPS).tokens
    np.add.at(counts, (tokens[:, :-1], tokens[:, 1:]), 1.0)
    totals = counts.sum(axis=1)  # halves and ones: exact
    return np.array(
        [
            [4.0 * math.log(VOCABULARY * count / total) for count in row]
            for row, total in zip(counts.tolist(), totals.tolist(), strict=True)
        ]
    )


def solve(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """Solve matrix·X = right by Gaussian elimination with row pivoting, to the same last bit everywhere."""
    left, right = matrix.copy(), right.copy()
    size = len(left)
    for column in range(size):
        pivot = column + int(np.abs(left[column:, column]).argmax())
        left[[column, pivot]], right[[column, pivot]] = left[[pivot, column]], right[[pivot, column]]
        factors = left[column + 1 :, column, None] / left[column, column]
        left[column + 1 :] -= factors * left[column]
        right[column + 1 :] -= factors * right[column]
    solution = np.zeros_like(right)
    for row in range(size - 1, -1, -1):
        known = _ordered_product(left[row : row + 1, row + 1 :], solution[row + 1 :])[0]
        solution[row] = (right[row] - known) / left[row, row]
    return solution


def _ordered_product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return left·right, summed in ascending order of the inner index."""
    product = np.zeros((left.shape[0], right.shape[1]))
    for inner in range(left.shape[1]):
        product += left[:, inner, None] * right[inner]
    return product
