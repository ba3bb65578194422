"""One program with everything needed to run it again."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.machine.result import Counters, WordArray

DEFAULT_EXT_WORDS = 8192
"""Words of external memory a program may touch unless it says otherwise."""

DEFAULT_READ_LATENCY = 8
"""Cycles from a read request to its response unless a program says otherwise."""


@dataclass(frozen=True, eq=False)
class Expectation:
    """The final state that a bundle's author computed by other means; missing tails of the memories are 0."""

    halted: bool
    fault: bool
    counters: Counters
    ext: WordArray
    scratchpad: WordArray


@dataclass(frozen=True, eq=False)
class Bundle:
    """A program, its memory image and the environment it runs in."""

    code: tuple[int, ...]
    """128-bit instruction words; words beyond the program read as 0, which is HALT."""
    ext: WordArray
    """External memory at the start, uint32; the missing tail up to `ext_words` is 0."""
    ext_words: int = DEFAULT_EXT_WORDS
    """External words the program may touch, 1..65536."""
    read_latency: int = DEFAULT_READ_LATENCY
    """Cycles from a read request to its response, at least 1."""
    scratchpad: WordArray | None = None
    """Scratchpad at the start (missing tail 0), or None to keep what the previous program left."""
    expect: Expectation | None = None
    note: str = ""
