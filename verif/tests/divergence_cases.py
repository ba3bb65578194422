"""Runs of one program that are broken on purpose, with the divergence that each must be told as."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from refmodel.isa.instructions import (
    ArgMax,
    Illegal,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
)
from refmodel.machine.events import CycleSpan, End, Event, Memory, Retire, Write
from refmodel.machine.result import Counters
from refmodel.machine.tests.helpers import program
from refmodel.machine.trace import trace_program
from verif.divergence.divergence import Divergence
from verif.divergence.kind import DivergenceKind as Kind
from verif.divergence.search import find_divergence
from verif.tests.found_events import found_events, longer

PROGRAM = program(
    Load(0, 0, 8),
    MatMul(20, 0, 4, 2, 2, 2, False, 2, 2, 2),
    Requantize(30, 20, 4, 1, 1),
    Store(30, 50, 4),
    ArgMax(40, 20, 4),
    Softmax(60, 30, 2),
    Store(60, 60, 1),
    ext=[1, 2, 3, 4, 5, 6, 7, 8],
    scratchpad=[9] * 100,
)
TRACE = trace_program(PROGRAM)
FAULTING = trace_program(program(Load(0, 0, 2), Illegal(9), ext=[1, 2], scratchpad=[]))
LAST_LOAD = 7
"""Position of the last write of pc 0; its retire is next."""

Events = list[Event]
Change = Callable[[Events], object]


def position(events: Events, pc: int, offset: int = 0) -> int:
    return next(index for index, event in enumerate(events) if event.pc == pc) + offset


def diverging(change: Change) -> Divergence:
    events = found_events(TRACE)
    result = change(events)
    divergence = find_divergence(TRACE, result if isinstance(result, list) else events)
    assert divergence is not None
    return divergence


def changed(pc: int, offset: int, /, **values: Any) -> Change:
    """Return a change of one event's values, the one at an offset within its instruction."""

    def change(events: Events) -> None:
        index = position(events, pc, offset)
        events[index] = replace(events[index], **values)

    return change


def swapped(pc: int, offset: int) -> Change:
    """Return a change that exchanges an event with the next."""

    def change(events: Events) -> None:
        index = position(events, pc, offset)
        events[index : index + 2] = reversed(events[index : index + 2])

    return change


def dropped(pc: int, offset: int, count: int = 1) -> Change:
    def change(events: Events) -> None:
        index = position(events, pc, offset)
        del events[index : index + count]

    return change


def inserted(pc: int, offset: int, event: Event) -> Change:
    return lambda events: events.insert(position(events, pc, offset), event)


def at(pc: int, offset: int) -> Event:
    events = found_events(TRACE)
    return events[position(events, pc, offset)]


def write(pc: int, offset: int) -> Write:
    event = at(pc, offset)
    assert isinstance(event, Write)
    return event


def retire(pc: int) -> Retire:
    return TRACE.instructions[pc].retire


CASES: dict[str, tuple[Change, Kind, int, str]] = {  # the change, its kind, the pc and a part of the message
    "data": (changed(1, 2, data=77), Kind.DATA, 1, "writes 77 (0x0000004d) rather than"),
    "data that the chip does not know": (changed(1, 2, unknown=0xF0), Kind.DATA, 1, "writes 0x000000x"),
    "data of the last write": (changed(6, 0, data=1), Kind.DATA, 6, "to word 60"),
    "address": (changed(1, 2, address=99), Kind.ADDRESS, 1, "to word 99 rather than 22"),
    "address of another element": (changed(1, 2, address=20), Kind.ADDRESS, 1, "to word 20 rather than 22"),
    "two writes exchanged": (swapped(0, 3), Kind.ORDER, 0, "writes word 4 before word 3"),
    "two external writes exchanged": (swapped(3, 0), Kind.ORDER, 3, "writes word 51 before word 50"),
    "retire before the last write": (swapped(0, LAST_LOAD), Kind.ORDER, 0, "retires before 1 of its writes"),
    "write before the retire before": (swapped(0, 8), Kind.ORDER, 0, "writes before pc 0 retires"),
    "first write missing": (dropped(0, 0), Kind.MISSING, 0, "leaves out the write of word 0: 7 writes"),
    "last write missing": (dropped(0, LAST_LOAD), Kind.MISSING, 0, "retires without 1 of its writes"),
    "only write missing": (dropped(4, 0), Kind.MISSING, 4, "retires without 1 of its writes"),
    "retire missing": (dropped(0, 8), Kind.MISSING, 0, "never retires, but pc 1 writes"),
    "extra write in between": (
        inserted(1, 1, replace(write(1, 0), address=99)),
        Kind.EXTRA,
        1,
        "writes word 99 in between: 4 writes are left, not 3",
    ),
    "every write of a value twice": (
        lambda events: [
            each
            for event in events
            for each in (
                [replace(event, data=99), event] if isinstance(event, Write) and event.pc == 1 else [event]
            )
        ],
        Kind.EXTRA,
        1,
        "writes word 20 in between: 8 writes are left, not 4",
    ),
    "extra write that moves all others": (
        lambda events: [
            *events[: position(events, 2)],
            replace(write(2, 0), data=77),
            *(replace(write(2, offset), address=31 + offset) for offset in range(4)),
            *events[position(events, 2, 4) :],
        ],
        Kind.EXTRA,
        2,
        "writes word 30 in between: 5 writes are left, not 4",
    ),
    "two writes missing": (
        lambda events: [each for each in events if each not in (write(0, 2), write(0, 4))],
        Kind.MISSING,
        0,
        "leaves out the write of word 2: 4 writes are left, not 6",
    ),
    "counted late by n_inst alone": (
        lambda events: [
            replace(each, cycle=each.cycle + 1) if isinstance(each, Retire) else each for each in events
        ],
        Kind.COUNTER,
        0,
        "is counted 1 cycle late, by n_inst alone",
    ),
    "counter of few bits": (
        changed(1, 4, busy_mm=23 - 1024),
        Kind.COUNTER,
        1,
        "cyc_mm moves by -1001, 1,024 too low (a 10-bit counter?)",
    ),
    "extra write at the end": (inserted(4, 1, write(4, 0)), Kind.EXTRA, 4, "writes again after its 1 write"),
    "second end": (inserted(7, 1, TRACE.end), Kind.EXTRA, 7, "ends a second time"),
    "other bits retire": (changed(1, 4, opcode=4), Kind.RETIRE_WITHOUT_ISSUE, 1, "retires as RQ"),
    "retire twice": (inserted(1, 0, retire(0)), Kind.RETIRE_WITHOUT_ISSUE, 1, "retires again"),
    "instruction left out": (
        dropped(4, 0, 2),
        Kind.WRITE_OUTSIDE_TURN,
        4,
        "pc 4 (AMAX 40 20 4) must be running, it has not retired",
    ),
    "retire out of order": (
        inserted(1, 4, replace(retire(2), pc=3, opcode=2)),
        Kind.RETIRE_WITHOUT_ISSUE,
        1,
        "pc 3 (ST 30 50 4) retires although pc 1 was issued last",
    ),
    "retire beyond the program": (
        inserted(7, 0, replace(retire(0), pc=7)),
        Kind.RETIRE_WITHOUT_ISSUE,
        7,
        "the program ends with the halt at pc 7",
    ),
    "retire after the end": (
        inserted(7, 1, retire(6)),
        Kind.RETIRE_WITHOUT_ISSUE,
        7,
        "retires after the program has ended at pc 7",
    ),
    "write of another pc": (changed(1, 1, pc=2), Kind.WRITE_OUTSIDE_TURN, 1, "must be running"),
    "write of another unit": (
        inserted(1, 2, replace(write(3, 0), pc=1)),
        Kind.WRITE_OUTSIDE_TURN,
        1,
        "MM is running, which never writes there",
    ),
    "the right word to the wrong memory": (
        changed(1, 0, memory=Memory.EXT),
        Kind.WRITE_OUTSIDE_TURN,
        1,
        "MM is running, which never writes there",
    ),
    "scratchpad write during ST": (
        inserted(3, 0, replace(write(0, 0), pc=3)),
        Kind.WRITE_OUTSIDE_TURN,
        3,
        "ST is running, which never writes there",
    ),
    "write in ISSUE": (
        changed(1, 0, span=CycleSpan.at(TRACE.instructions[1].busy.first - 1)),
        Kind.WRITE_OUTSIDE_TURN,
        1,
        "its first busy cycle is 22",
    ),
    "write after the last busy cycle": (
        changed(0, LAST_LOAD, span=CycleSpan.at(TRACE.instructions[0].busy.last + 1)),
        Kind.WRITE_OUTSIDE_TURN,
        0,
        "its last busy cycle was 19, and it is cycle 20",
    ),
    "write at HALT": (
        inserted(7, 0, replace(write(0, 0), pc=7)),
        Kind.WRITE_OUTSIDE_TURN,
        7,
        "the program ends with the halt at pc 7, and no unit is running",
    ),
    "write after the end": (
        inserted(7, 1, replace(write(0, 0), pc=7)),
        Kind.WRITE_OUTSIDE_TURN,
        7,
        "the program has ended at pc 7",
    ),
    "counter of another unit": (
        changed(1, 4, busy_mm=0, busy_vec=retire(1).busy_mm),
        Kind.COUNTER,
        1,
        "counts 23 vec, the law says 23 mm: another unit's counter",
    ),
    "counter steps too often": (
        changed(1, 4, busy_mm=24),
        Kind.COUNTER,
        1,
        "counts 24 mm, the law says 23 mm, and it retires in time",
    ),
    "counter at the end": (
        changed(7, 0, counters=replace(TRACE.end.counters, n_inst=9)),
        Kind.COUNTER,
        7,
        "n_inst is 9 rather than 7",
    ),
    "end at another pc": (changed(7, 0, pc=9), Kind.END_PC, 7, "ends at pc 9 rather than at pc 7 (HALT)"),
    "late end": (changed(7, 0, cycle=1000), Kind.TIMING, 7, "in cycle 1000 rather than"),
    "late issue": (
        lambda events: longer(events, 1, 1, counted=False),
        Kind.TIMING,
        1,
        "FETCH and ISSUE took 3 cycles rather than 2",
    ),
    "unit busy too long": (
        lambda events: longer(events, 1, 2),
        Kind.TIMING,
        1,
        "is busy for 25 cycles rather than 23",
    ),
    "unit busy too short": (
        changed(2, 4, busy_vec=5, cycle=retire(2).cycle - 1),
        Kind.TIMING,
        2,
        "is busy for 5 cycles rather than 6",
    ),
    "first external write late": (
        lambda events: longer(events, 3, 1),
        Kind.TIMING,
        3,
        "in busy cycle 4 rather than 3: control before the first write is 3 rather than 2",
    ),
    "gap between external writes": (
        changed(3, 2, span=CycleSpan.at(write(3, 2).cycle + 1)),
        Kind.TIMING,
        3,
        "in busy cycle 6 rather than 5: the 2 words before left in time",
    ),
    "halt with a write pending": (
        dropped(4, 0, 9),
        Kind.END_WITH_EVENT_PENDING,
        4,
        "halts at pc 7 while pc 4 (AMAX 40 20 4) has a scratchpad write pending",
    ),
    "halt with a retire pending": (dropped(6, 1), Kind.END_WITH_EVENT_PENDING, 6, "has a retire pending"),
    "fault instead of run": (
        lambda events: [*events[:8], End(0, True, Counters(), 9)],
        Kind.FAULT_INSTEAD_OF_RUN,
        0,
        "is legal and must run, but the chip faults at pc 0",
    ),
    "fault instead of halt": (changed(7, 0, fault=True), Kind.FAULT_INSTEAD_OF_RUN, 7, "but it is a HALT"),
    "hang": (lambda events: events[:10], Kind.HANG, 1, "has a scratchpad write to come"),
    "hang from the start": (lambda events: [*events[:0]], Kind.HANG, 0, "from the start"),
    "hang at the end": (dropped(7, 0), Kind.HANG, 7, "has a halt to come"),
}
