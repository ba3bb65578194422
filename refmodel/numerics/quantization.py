"""Symmetric int8 quantization: real numbers to integers, scales and requantizer parameters.

q = clamp(round_half_away(x / scale)) with q in −127..127. A tensor's scale is its largest absolute value
divided by 127, or 1/127 when that value is zero.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from refmodel.numerics.integer import INT8_MAX, IntArray

FloatArray = NDArray[np.float64]

MIN_RATIO = 2.0**-40
"""Smallest real multiplier whose shift still fits the requantizer's six bits."""

MAX_RATIO = 2.0**24
"""First real multiplier that needs a negative shift."""


def scale_of_range(largest: float) -> float:
    """Return the scale of a tensor whose largest absolute value is `largest`."""
    return largest / INT8_MAX if largest else 1.0 / INT8_MAX


def quantize(values: NDArray[np.floating], scale: float) -> IntArray:
    """Round `values / scale` half away from zero and clamp to −127..127."""
    with np.errstate(over="ignore"):  # what overflows is clamped like all that is too large
        ratio = np.asarray(values, dtype=np.float64) / scale
    magnitude = np.minimum(np.abs(ratio), INT8_MAX)
    whole = np.floor(magnitude)
    # Not floor(magnitude + 0.5): that sum itself rounds, up from just below a half.
    rounded = whole + (magnitude - whole >= 0.5)
    integers: IntArray = (np.sign(ratio) * rounded).astype(np.int64)
    return integers


def dequantize(integers: NDArray[np.integer], scale: float) -> FloatArray:
    """Return the real numbers that `integers` stand for."""
    return np.asarray(integers, dtype=np.float64) * scale


def multiplier_and_shift(ratio: float) -> tuple[int, int]:
    """Express a positive real multiplier as (m, s), ratio ≈ m / 2^s, with 2^23 ≤ m < 2^24 and 0 ≤ s ≤ 63.

    s = 23 − ⌊log2 ratio⌋ and m = round(ratio·2^s) with ties to even; an m of 2^24 is halved and s reduced by
    one. Raises ValueError when `ratio` is outside 2^−40 ≤ ratio < 2^24, where no such pair exists.
    """
    if not MIN_RATIO <= ratio < MAX_RATIO:
        raise ValueError(f"requantizer multiplier {ratio:g} is outside 2^-40 <= R < 2^24")
    # frexp gives ratio = fraction·2^exponent, 1/2 <= fraction < 1, so ⌊log2 ratio⌋ = exponent − 1 exactly.
    shift = 24 - math.frexp(ratio)[1]
    multiplier = round(math.ldexp(ratio, shift))
    if multiplier == 1 << 24:
        multiplier, shift = multiplier >> 1, shift - 1
    if shift < 0:
        raise ValueError(f"requantizer multiplier {ratio!r} rounds to 2^24 and needs a negative shift")
    return multiplier, shift
