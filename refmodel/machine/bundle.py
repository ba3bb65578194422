"""One program with everything needed to run it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from refmodel.errors import Ga2Error
from refmodel.isa.limits import EXT_ADDRESS_WORDS, IMEM_WORDS, MAX_READ_LATENCY, SCRATCHPAD_WORDS
from refmodel.machine.result import Counters, WordArray
from refmodel.source_map.source_map import SourceMap

DEFAULT_EXT_WORDS = 8192
"""Words of external memory a program may touch unless it says otherwise."""

DEFAULT_READ_LATENCY = 8
"""Cycles from a read request to its response unless a program says otherwise."""


class BundleLimitError(Ga2Error):
    """A bundle asks for more than the bench has."""


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
    """A program, its memory image and the environment it runs in.

    Raises BundleLimitError when one of them does not fit the bench.
    """

    code: tuple[int, ...]
    """128-bit instruction words; words beyond the program read as 0, which is HALT."""
    ext: WordArray
    """External memory at the start, uint32; the missing tail up to `ext_words` is 0."""
    ext_words: int = DEFAULT_EXT_WORDS
    """External words the program may touch, 1..65536."""
    read_latency: int = DEFAULT_READ_LATENCY
    """Cycles from a read request to its response, 1..4095."""
    scratchpad: WordArray | None = None
    """Scratchpad at the start (missing tail 0), or None to keep what the previous program left."""
    expect: Expectation | None = None
    note: str = ""
    make_source_map: Callable[[], SourceMap] | None = None
    """Returns what `source_map` holds; called when that is first looked at, as most runs never need it."""

    def __post_init__(self) -> None:
        """Refuse what no bench could run."""
        _require("ext_words", self.ext_words, 1, EXT_ADDRESS_WORDS)
        _require("read_latency", self.read_latency, 1, MAX_READ_LATENCY)
        _require("the number of words in code (the instruction memory's size)", len(self.code), 0, IMEM_WORDS)
        _require("the number of words in ext (up to ext_words)", len(self.ext), 0, self.ext_words)
        if self.scratchpad is not None:
            _require("the number of words in scratchpad", len(self.scratchpad), 0, SCRATCHPAD_WORDS)

    @cached_property
    def source_map(self) -> SourceMap | None:
        """What the compiler knows of the code, or None for a program that was not compiled from a graph.

        It may describe more instructions than there are, so that a program cut short keeps its map. Raises
        BundleLimitError when it describes fewer.
        """
        if self.make_source_map is None:
            return None
        source_map = self.make_source_map()
        if len(source_map.instructions) < len(self.code):
            raise BundleLimitError(
                f"the source map describes {len(source_map.instructions)} instructions, code has "
                f"{len(self.code)}; drop the map or take the one of this program"
            )
        return source_map


def _require(what: str, value: int, smallest: int, largest: int) -> None:
    if not smallest <= value <= largest:
        raise BundleLimitError(f"{what} is {value}, legal is {smallest}..{largest}")
