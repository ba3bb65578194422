"""The sizes that GA2 and its bench are built for."""

from __future__ import annotations

SCRATCHPAD_WORDS = 4096
"""Words in the chip's scratchpad; its addresses wrap at this number."""

EXT_ADDRESS_WORDS = 65536
"""External words that a 16-bit address reaches; external addresses wrap at this number."""

MAX_READ_LATENCY = 4095
"""Longest read latency of the bench's external memory, in cycles: its latency register has twelve bits."""

IMEM_WORDS = 65536
"""Words that a 16-bit pc reaches and that the bench's program memory holds; the pc wraps at this number."""

MAX_LENGTH = 4095
"""Most words that one instruction moves or computes; a longer length faults."""

MAX_TILE = 4
"""Most rows and columns of an MM result: the side of the systolic array."""

MAX_DEPTH = 64
"""Longest inner dimension K of an MM."""
