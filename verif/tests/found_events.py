"""Runs as a chip would show them, made from the model's trace and then broken on purpose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from refmodel.machine.events import CycleSpan, Event, Memory, Retire, Write
from refmodel.machine.trace import Trace


def found_events(trace: Trace) -> list[Event]:
    """Return the trace as observed: scratchpad writes in the last busy cycles, one a cycle."""
    events: list[Event] = []
    for traced in trace.instructions:
        first = traced.busy.last - len(traced.writes) + 1
        for position, write in enumerate(traced.writes):
            span = write.span if write.memory is Memory.EXT else CycleSpan.at(first + position)
            events.append(replace(write, span=span))
        events.append(traced.retire)
    return [*events, trace.end]


def moved(event: Event, cycles: int) -> Event:
    """Return an event that comes some cycles later."""
    if isinstance(event, Write):
        return replace(event, span=CycleSpan.at(event.cycle + cycles))
    return replace(event, cycle=event.cycle + cycles)


def longer(events: Iterable[Event], pc: int, cycles: int, *, counted: bool = True) -> list[Event]:
    """Return a run in which the unit of one instruction begins to write `cycles` later than it must."""
    result: list[Event] = []
    for event in events:
        late = moved(event, cycles) if event.pc >= pc else event
        if counted and isinstance(late, Retire) and late.pc == pc:
            late = with_busy(late, cycles)
        result.append(late)
    return result


def with_busy(retire: Retire, cycles: int) -> Retire:
    """Return a retire that counts some cycles more, at the unit that counts at all."""
    busy = {name: getattr(retire, name) for name in ("busy_mm", "busy_dma", "busy_vec")}
    return replace(retire, **{name: count + cycles for name, count in busy.items() if count})
