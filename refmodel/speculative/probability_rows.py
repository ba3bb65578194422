"""Reading rows of probability masses: validated when touched, and untouched until then.

A row holds one non-negative mass for each token of the vocabulary and need not be normalized. Arrays of
masses are never converted or copied as a whole, so rows that nobody asks for are neither read nor
validated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refmodel.numerics.quantization import FloatArray

ProbabilityRows = NDArray[np.floating]
"""Masses, any floating dtype, shape (rows, V)."""

DraftTokens = Sequence[int] | NDArray[np.integer]
"""Guessed token numbers, K of them."""

_BIT_PATTERNS: dict[np.dtype[Any], tuple[np.dtype[np.unsignedinteger], int]] = {
    np.dtype(np.float16): (np.dtype(np.uint16), 0x7C00),
    np.dtype(np.float32): (np.dtype(np.uint32), 0x7F800000),
    np.dtype(np.float64): (np.dtype(np.uint64), 0x7FF0000000000000),
}
"""For each IEEE format: the unsigned type of its bit patterns, and the pattern of infinity."""


def check_rows(rows: ProbabilityRows, count: int, vocabulary: int | None, name: str) -> None:
    """Raise ValueError unless `rows` is floating-point of shape (count, vocabulary); reads no element."""
    if not isinstance(rows, np.ndarray):
        raise ValueError(f"{name} must be a numpy array, found {type(rows).__name__}")
    if rows.ndim != 2 or rows.shape[0] != count or rows.shape[1] == 0:
        raise ValueError(f"{name} must have {count} rows of one mass a token, found shape {rows.shape}")
    if vocabulary is not None and rows.shape[1] != vocabulary:
        raise ValueError(f"{name} must have {vocabulary} columns like target_probs, found {rows.shape[1]}")
    if rows.dtype.kind != "f":
        raise ValueError(f"{name} must hold floating-point numbers, found dtype {rows.dtype}")


def checked_tokens(draft_tokens: DraftTokens) -> list[int]:
    """Return the guesses as ints; ValueError unless they are a flat sequence of integers."""
    tokens = draft_tokens.tolist() if isinstance(draft_tokens, np.ndarray) else draft_tokens
    try:
        return [index(token) for token in tokens]
    except TypeError:
        raise ValueError(
            f"draft_tokens must be a flat sequence of integers, found {draft_tokens!r}"
        ) from None


def check_vocabulary(tokens: list[int], vocabulary: int) -> None:
    """Raise ValueError unless every guess names a column, 0 ≤ token < vocabulary."""
    for position, token in enumerate(tokens):
        if not 0 <= token < vocabulary:
            raise ValueError(f"draft token {position} is {token}, outside the vocabulary 0..{vocabulary - 1}")


def masses(rows: ProbabilityRows, position: int, name: str) -> FloatArray:
    """Read one row as probabilities: float64, summing to 1.

    Raises ValueError when the row holds a NaN, an infinity or a negative mass, or has no mass at all.
    """
    row = np.asarray(rows[position], dtype=np.float64)
    lowest, largest = float(row.min()), float(row.max())  # both are NaN when any element is
    if not 0.0 <= lowest <= largest < np.inf:
        raise ValueError(f"row {position} of {name} holds a negative, infinite or NaN mass")
    if largest == 0.0:
        raise ValueError(f"row {position} of {name} has no mass: every element is 0")
    scaled = row / largest  # so that the sum can neither overflow nor lose subnormal masses
    probabilities: FloatArray = scaled / scaled.sum()
    return probabilities


def first_maximum_reader(rows: ProbabilityRows) -> Callable[[int], int]:
    """Return a function from a row's position to the token of its first largest mass, validating that row.

    Non-negative IEEE numbers are ordered like their bit patterns read as unsigned integers, while
    infinities, NaNs and everything negative lie above every finite mass. So a single argmax over the
    patterns both finds the token and proves the row sound: the largest pattern is a positive finite number.
    This costs no more than the bare argmax. Formats without such a pattern (long double, foreign byte
    order), and rows in doubt, take the plain way.
    """
    patterns = _BIT_PATTERNS.get(rows.dtype)
    if patterns is None:
        return lambda position: _validated_first_maximum(rows, position)
    unsigned, infinity = patterns
    bits = rows.view(unsigned)

    def first_maximum(position: int) -> int:
        row = bits[position]
        token = int(row.argmax())
        # A negative zero looks negative by its pattern and is none, hence a second opinion instead of an
        # error.
        return token if 0 < row.item(token) < infinity else _validated_first_maximum(rows, position)

    return first_maximum


def _validated_first_maximum(rows: ProbabilityRows, position: int) -> int:
    """Return the first argmax of one row after the checks of `masses`."""
    masses(rows, position, "target_probs")
    return int(rows[position].argmax())
