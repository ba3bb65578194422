"""What happens while a program runs, event by event: the words that are written, the retires, and the end.

Model and RTL are told in the same types, so that two runs can be compared in order. `pc` is what `imem_addr`
shows in the cycle of the event. Cycles count from the FETCH of pc 0, which is cycle 1; within a cycle a write
comes before the retire. A run is a sequence of writes and retires that closes with one `End`; a run that does
not end has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Self, TypeAlias

from refmodel.machine.result import Counters

ALL_BITS = 0xFFFF_FFFF


class Memory(Enum):
    """The memory that an event or an operand belongs to."""

    SCRATCHPAD = "scratchpad"
    EXT = "external"


@dataclass(frozen=True, slots=True)
class CycleSpan:
    """The cycles in which an event may happen, both ends included; what has been observed has one cycle."""

    first: int
    last: int

    @classmethod
    def at(cls, cycle: int) -> Self:
        """Return the span of one cycle."""
        return cls(cycle, cycle)

    def contains(self, other: CycleSpan) -> bool:
        """Does the other span lie within this one?"""
        return self.first <= other.first and other.last <= self.last

    def __str__(self) -> str:
        """Render it for people: `cycle 7` or `cycles 7..9`."""
        return f"cycle {self.first}" if self.first == self.last else f"cycles {self.first}..{self.last}"


@dataclass(frozen=True, slots=True)
class Write:
    """One word written to the scratchpad or sent to external memory."""

    memory: Memory
    pc: int
    address: int
    data: int
    """32 bits, unsigned."""
    span: CycleSpan
    """The law fixes the cycle of an external write; of a scratchpad write it gives the busy cycles only."""
    unknown: int = 0
    """Bits of `data` that nothing defines: derived from words never written (model), or X (RTL)."""

    @property
    def kind(self) -> str:
        """Name the kind of event."""
        return f"{self.memory.value} write"

    @property
    def cycle(self) -> int:
        """The cycle observed, or the last that is legal."""
        return self.span.last


@dataclass(frozen=True, slots=True)
class Retire:
    """One instruction completed; its cycle is its last busy one, before the edge at which n_inst steps."""

    pc: int
    opcode: int
    busy_mm: int
    busy_dma: int
    busy_vec: int
    """By how much the instruction moved each unit's counter."""
    cycle: int

    @property
    def kind(self) -> str:
        """Name the kind of event."""
        return "retire"

    @property
    def busy(self) -> int:
        """Busy cycles of all units; only one has any."""
        return self.busy_mm + self.busy_dma + self.busy_vec


@dataclass(frozen=True, slots=True)
class End:
    """The program ended at `pc`, with HALT or a fault; its cycle is the last one, the ISSUE of that word."""

    pc: int
    fault: bool
    counters: Counters
    """As they stand once `halted` is high."""
    cycle: int

    @property
    def kind(self) -> str:
        """Name the kind of event."""
        return "fault" if self.fault else "halt"


@dataclass(frozen=True, slots=True)
class Request:
    """LD asked for a word of external memory; compared by itself, as it waits for no other event."""

    pc: int
    address: int
    cycle: int

    @property
    def kind(self) -> str:
        """Name the kind of event."""
        return "read request"


Event: TypeAlias = Write | Retire | End | Request
"""Anything that is compared in order."""
