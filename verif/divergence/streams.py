"""Two runs side by side: what was expected, what was found, and the place where they are being compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from refmodel.machine.events import ALL_BITS, Event, Retire, Write
from refmodel.machine.trace import Trace
from refmodel.machine.traced_instruction import TracedInstruction


def same_word(expected: Write, found: Write) -> bool:
    """Do two writes agree in memory, address and every bit of data that is defined in the expected one?"""
    wrong = (expected.data ^ found.data | found.unknown) & ~expected.unknown & ALL_BITS
    return (expected.memory, expected.address) == (found.memory, found.address) and not wrong


@dataclass(frozen=True)
class Place:
    """A position in both streams; everything before it agrees."""

    trace: Trace
    """The model's trace of the program, for what surrounds the events."""
    expected: Sequence[Event]
    found: Sequence[Event]
    index: int

    @property
    def expected_event(self) -> Event | None:
        """The event that must come next; None after the end."""
        return self.expected[self.index] if self.index < len(self.expected) else None

    @property
    def found_event(self) -> Event | None:
        """The event that came next; None if nothing more came."""
        return self.found[self.index] if self.index < len(self.found) else None

    @property
    def cycle_before(self) -> int:
        """The cycle of the last retire before this place; 0 if nothing has retired."""
        retires = (event for event in reversed(self.found[: self.index]) if isinstance(event, Retire))
        return next((retire.cycle for retire in retires), 0)

    def running(self, pc: int) -> TracedInstruction:
        """Return the instruction at `pc`, which must be one that completes."""
        return self.trace.instructions[pc]

    def text(self, pc: int) -> str:
        """Return the disassembly of the word at `pc`, with it."""
        return f"pc {pc} ({self.trace.disassembly(pc)})"

    def expected_writes(self, pc: int) -> list[Write]:
        """Return the writes of one instruction that must follow, from here on."""
        return _writes_of(pc, self.expected[self.index :])

    def found_writes(self, pc: int) -> list[Write]:
        """Return the writes of one instruction that did follow, from here on."""
        return _writes_of(pc, self.found[self.index :])

    def position_in_instruction(self) -> int:
        """Return how many writes of its instruction come before the expected event."""
        before = reversed(self.expected[: self.index])
        return sum(1 for _ in takewhile(lambda event: isinstance(event, Write), before))

    def retires(self, pc: int) -> tuple[Retire, Retire] | None:
        """Return the next retires, expected and found, if both are those of `pc`."""
        expected, found = _next_retire(self.expected[self.index :]), _next_retire(self.found[self.index :])
        if expected is None or found is None or not expected.pc == found.pc == pc:
            return None
        return expected, found


def _next_retire(events: Sequence[Event]) -> Retire | None:
    return next((event for event in events if isinstance(event, Retire)), None)


def _writes_of(pc: int, events: Sequence[Event]) -> list[Write]:
    writes: list[Write] = []
    for event in events:
        if not isinstance(event, Write) or event.pc != pc:
            break
        writes.append(event)
    return writes
