"""Events and operands as JSON values, for programs that read reports."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from refmodel.machine.events import End, Event, Request, Retire, Write
from refmodel.machine.traced_instruction import OperandWords


def event_json(event: Event) -> dict[str, Any]:
    """Return an event with its kind; a write carries the first and the last cycle in which it may be."""
    values: dict[str, Any] = {"kind": event.kind, "pc": event.pc}
    match event:
        case Write():
            values |= {"address": event.address, "data": event.data, "unknown": event.unknown}
            values |= {"first_cycle": event.span.first, "last_cycle": event.span.last}
        case Retire():
            values |= {"opcode": event.opcode, "cycle": event.cycle}
            values |= {"busy_mm": event.busy_mm, "busy_dma": event.busy_dma, "busy_vec": event.busy_vec}
        case End():
            values |= {"cycle": event.cycle, "counters": asdict(event.counters)}
        case Request():
            values |= {"address": event.address, "cycle": event.cycle}
    return values


def operand_json(operand: OperandWords) -> dict[str, Any]:
    """Return an operand with every word; null where a word is undefined."""
    pairs = zip(operand.words.ravel().tolist(), operand.defined.ravel().tolist(), strict=True)
    return {
        "operand": operand.name,
        "memory": operand.memory.value,
        "start": operand.region.start,
        "shape": list(operand.region.shape),
        "strides": list(operand.region.strides),
        "words": [word if known else None for word, known in pairs],
    }
