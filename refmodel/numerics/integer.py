"""Bit-exact integer arithmetic of the GA2 vector units.

Every function takes and returns numpy arrays of integers and never modifies its argument. The formulas are
those of the instruction set (docs/isa.md, "Instructions").
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]

INT8_MAX = 127
"""Largest magnitude of a quantized value; the range is symmetric, so −128 is never produced."""

SOFTMAX_TABLE: IntArray = np.floor(65535.0 * np.exp(-np.arange(256) / 16.0) + 0.5).astype(np.int64)
"""T[d] = ⌊65535·exp(−d/16) + 1/2⌋ for d = 0..255: the exponential of a Q4.4 difference in Q0.16."""


def requantize(acc: NDArray[np.integer], multiplier: int, shift: int, relu: bool = False) -> IntArray:
    """Scale int32 accumulators to int8: clamp(sign(acc)·⌊(|acc|·multiplier + ⌊2^shift/2⌋) / 2^shift⌋).

    `acc` has any shape, values −2^31..2^31−1; `multiplier` is 0..2^24−1 and `shift` 0..63. Rounds half away
    from zero; the lower clamp is 0 with `relu`, else −127. The sum stays below 2^62 + 2^55, so int64 is
    exact.
    """
    wide = acc.astype(np.int64)
    rounding = (1 << shift) >> 1
    magnitude = (np.abs(wide) * multiplier + rounding) >> shift
    return _clamp(np.sign(wide) * magnitude, 0 if relu else -INT8_MAX)


def softmax_exponentials(scores: NDArray[np.integer]) -> IntArray:
    """Return e_i = T[top − x_i] of one row of int8 scores in Q4.4, in Q0.16: 0..65535."""
    wide = scores.astype(np.int64)
    exponentials: IntArray = SOFTMAX_TABLE[wide.max() - wide]
    return exponentials


def softmax_row(scores: NDArray[np.integer]) -> IntArray:
    """Return the Q0.16 softmax of one row of int8 scores in Q4.4; a row of one element gives 65536."""
    return softmax_probabilities(softmax_exponentials(scores))


def softmax_probabilities(exponentials: IntArray) -> IntArray:
    """Scale the exponentials of one row: r = ⌊2^38 / Σe⌋; p_i = (e_i·r + 2^21) >> 22."""
    reciprocal = (1 << 38) // int(exponentials.sum())
    probabilities: IntArray = (exponentials * reciprocal + (1 << 21)) >> 22
    return probabilities


def saturating_add(left: NDArray[np.integer], right: NDArray[np.integer]) -> IntArray:
    """Return the int8 sum clamped to −127..127."""
    return _clamp(left.astype(np.int64) + right.astype(np.int64), -INT8_MAX)


def _clamp(values: IntArray, lowest: int) -> IntArray:
    """Return the values limited to lowest..127."""
    # np.clip says the same in twice the time, and the reference machine spends much of its time here.
    limited: IntArray = np.minimum(np.maximum(values, lowest), INT8_MAX)
    return limited
