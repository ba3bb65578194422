"""A counter that is wrong, as a difference: by how much, and whether that looks like too few bits."""

from __future__ import annotations

_WRAP = 1 << 32
_FEWEST_BITS = 4
"""A counter that is wrong by a smaller power of two has hardly wrapped."""


def counter_difference(expected: int, found: int) -> int:
    """Return by how much a 32-bit counter is too high, below 0 if it is too low."""
    return (found - expected + _WRAP // 2) % _WRAP - _WRAP // 2


def counter_text(expected: int, found: int) -> str:
    """Return that difference in words: `65,536 too low (a 16-bit counter?)`."""
    difference = counter_difference(expected, found)
    size = abs(difference)
    bits = size.bit_length() - 1
    wraps = difference < 0 and size == 1 << bits and bits >= _FEWEST_BITS
    return f"{size:,} too {'low' if difference < 0 else 'high'}" + (
        f" (a {bits}-bit counter?)" if wraps else ""
    )
