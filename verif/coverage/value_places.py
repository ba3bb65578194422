"""Where the operands and results of each instruction can still be read once its program has ended.

A word that an instruction read or wrote may be overwritten later, but LD and ST copy words, so that a copy
may have survived elsewhere. The analysis gives every value a number, follows the numbers through both
memories, and looks where they are at the end. It depends on the program's words alone, not on data.

Places count through both memories: scratchpad word a is place a, external word a is place 4096 + a.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import Instruction, Load, Store
from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from refmodel.isa.regions import Footprint, footprint

PlaceArray = NDArray[np.int64]

NOWHERE = -1
"""The place of a value that is gone."""


@dataclass(frozen=True, eq=False)
class Places:
    """The places of one instruction's scratchpad operands at the end of its program."""

    reads: dict[str, PlaceArray]
    """Of what it read, by operand, in the operand's shape."""
    writes: PlaceArray | None
    """Of what it wrote, in the shape of dst."""


class _Tracker:
    """The number of the value in every word of both memories."""

    def __init__(self) -> None:
        self.scratchpad = np.arange(SCRATCHPAD_WORDS)
        self.ext = np.arange(SCRATCHPAD_WORDS, SCRATCHPAD_WORDS + EXT_ADDRESS_WORDS)
        self.next = SCRATCHPAD_WORDS + EXT_ADDRESS_WORDS

    def execute(
        self, instruction: Instruction, touched: Footprint
    ) -> tuple[dict[str, PlaceArray], PlaceArray | None]:
        """Return the values that an instruction reads, and those it writes to dst."""
        reads = {name: self.scratchpad[region.addresses()] for name, region in touched.reads.items()}
        if isinstance(instruction, Store):
            assert touched.ext_writes is not None
            self.ext[touched.ext_writes.addresses()] = reads["src"]
            return reads, None
        if touched.writes is None:
            return reads, None
        addresses = touched.writes.addresses()
        if isinstance(instruction, Load):
            assert touched.ext_reads is not None
            written = self.ext[touched.ext_reads.addresses()]
        else:
            written = np.arange(self.next, self.next + addresses.size).reshape(addresses.shape)
            self.next += addresses.size
        self.scratchpad[addresses] = written
        return reads, written

    def places(self, ext_words: int) -> PlaceArray:
        """Return where each value is, by its number; words beyond `ext_words` are not there."""
        places = np.full(self.next, NOWHERE, np.int64)
        places[self.ext[:ext_words]] = np.arange(SCRATCHPAD_WORDS, SCRATCHPAD_WORDS + ext_words)
        places[self.scratchpad] = np.arange(SCRATCHPAD_WORDS)
        return places


def places_at_end(
    instructions: Sequence[Instruction], abandoned: Instruction | None, ext_words: int
) -> list[Places]:
    """Return the places of the operands of each instruction.

    `abandoned` is the instruction that rst cut: it may have written any part of its dst, so nothing there
    counts. With C rows that collide, the element that lost its word is nowhere.
    """
    tracker = _Tracker()
    values = [tracker.execute(each, footprint(each)) for each in instructions]
    if abandoned is not None:
        _spoil(tracker, footprint(abandoned))
    places = tracker.places(ext_words)
    return [
        Places(
            {name: places[numbers] for name, numbers in reads.items()},
            None if writes is None else places[writes],
        )
        for reads, writes in values
    ]


def _spoil(tracker: _Tracker, touched: Footprint) -> None:
    """Put values that nobody asks for where an instruction may have written."""
    for memory, region in ((tracker.scratchpad, touched.writes), (tracker.ext, touched.ext_writes)):
        if region is not None:
            memory[region.addresses()] = tracker.next
    tracker.next += 1
