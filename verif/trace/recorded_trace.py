"""The trace that the harness logged of one run: raw entries, and the events they stand for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from refmodel.machine.events import ALL_BITS, CycleSpan, End, Event, Memory, Request, Retire, Write
from refmodel.machine.result import Counters
from verif.bfm.harness import TraceKind


@dataclass(frozen=True)
class RecordedTrace:
    """What hdl/tb/ga2_tb_trace.sv logged, which says how an entry is laid out."""

    entries: tuple[int, ...]
    """128 bits each."""
    unknown: tuple[int, ...]
    """For each entry the bits that are X; empty if there is none in the whole trace."""
    sees_scratchpad: bool
    """Were writes to the scratchpad logged? Otherwise sim.mk's SCRATCHPAD_WRITE is `none`."""
    complete: bool = True
    """False: the run had more events than are kept."""

    def passes(self, counters: Counters | None = None) -> list[list[Event]]:
        """Return the events of each honoured start, in order.

        `counters` are the chip's once it has halted. Those of an earlier pass were cleared by the restart: it
        ends with what its own events add up to.
        """
        passes: list[list[Event]] = []
        for entry, unknown in zip(self.entries, self.unknown or (0,) * len(self.entries), strict=True):
            if _kind(entry) == TraceKind.START:
                passes.append([])
            elif passes and _kind(entry) != TraceKind.REQUEST:
                passes[-1].append(_event(entry, unknown, passes[-1]))
        if counters is not None and passes:
            passes[-1] = [
                replace(event, counters=counters) if isinstance(event, End) else event for event in passes[-1]
            ]
        return passes

    def requests(self) -> list[list[Request]]:
        """Return the read requests of each honoured start, in order."""
        passes: list[list[Request]] = []
        for entry in self.entries:
            if _kind(entry) == TraceKind.START:
                passes.append([])
            elif passes and _kind(entry) == TraceKind.REQUEST:
                pc, address, cycle = (_field(entry, *place) for place in ((72, 16), (32, 16), (88, 32)))
                passes[-1].append(Request(pc, address, cycle))
        return passes

    def begins(self) -> list[int]:
        """Return for each honoured start in which cycle of the run it came; the first is in cycle 0."""
        begins = [_field(entry, 0, 32) for entry in self.entries if _kind(entry) == TraceKind.START]
        return [begin - begins[0] for begin in begins]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "entries": [f"{entry:x}" for entry in self.entries],
            "unknown": [f"{bits:x}" for bits in self.unknown],
            "sees_scratchpad": self.sees_scratchpad,
            "complete": self.complete,
        }

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> RecordedTrace:
        """Return what `to_json` was called on."""
        return cls(
            tuple(int(entry, 16) for entry in values["entries"]),
            tuple(int(bits, 16) for bits in values["unknown"]),
            values["sees_scratchpad"],
            values["complete"],
        )


def _kind(entry: int) -> int:
    return _field(entry, 124, 4)


def _signed_field(entry: int, low: int) -> int:
    """Return a number of 24 bits; a counter that went backwards has moved by less than 0."""
    value = _field(entry, low, 24)
    return value - (1 << 24) if value >> 23 else value


def _field(entry: int, low: int, bits: int) -> int:
    return entry >> low & (1 << bits) - 1


def _event(entry: int, unknown: int, before: list[Event]) -> Event:
    """Return the event of an entry; `before` are those of the same pass."""
    pc, cycle = _field(entry, 72, 16), _field(entry, 88, 32)
    match _kind(entry):
        case TraceKind.RETIRE:
            mm, dma, vec = (_signed_field(entry, low) for low in (48, 24, 0))
            return Retire(pc, _field(entry, 120, 4), mm, dma, vec, cycle)
        case TraceKind.END:
            return End(pc, bool(_field(entry, 0, 1)), _counted(before, cycle), cycle)
        case TraceKind.SCRATCHPAD:
            return _write(Memory.SCRATCHPAD, entry, unknown)
        case TraceKind.EXT:
            return _write(Memory.EXT, entry, unknown)
        case kind:
            raise ValueError(f"entry {entry:#x} of the trace is of the unknown kind {kind}")


def _write(memory: Memory, entry: int, unknown: int) -> Write:
    """Return a write; one that goes nobody knows where has no known bit."""
    somewhere = _field(unknown, 32, 16) != 0
    return Write(
        memory,
        pc=_field(entry, 72, 16),
        address=_field(entry, 32, 16),
        data=_field(entry, 0, 32),
        span=CycleSpan.at(_field(entry, 88, 32)),
        unknown=ALL_BITS if somewhere else _field(unknown, 0, 32),
    )


def _counted(events: list[Event], cycle: int) -> Counters:
    retires = [event for event in events if isinstance(event, Retire)]
    return Counters(
        cycle,
        sum(retire.busy_mm for retire in retires),
        sum(retire.busy_dma for retire in retires),
        sum(retire.busy_vec for retire in retires),
        len(retires),
    )
