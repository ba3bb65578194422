"""Rules for a program that ends too early, too late, otherwise or not at all."""

from __future__ import annotations

from dataclasses import fields

from refmodel.isa.encoding import decode
from refmodel.isa.faults import fault_reason
from refmodel.machine.event_text import event_text
from refmodel.machine.events import End, Event, Retire, Write
from refmodel.machine.result import Counters
from verif.counter_text import counter_text
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind
from verif.divergence.retires import retire_without_issue
from verif.divergence.streams import Place
from verif.divergence.writes import write_outside_turn


def end_instead_of_end(place: Place, expected: End, found: End) -> Difference:
    """Classify two ends that differ."""
    text = place.text(expected.pc)
    if found.fault and not expected.fault:
        message = f"{text} faults, but it is a HALT"
        return Difference(DivergenceKind.FAULT_INSTEAD_OF_RUN, message, expected, found)
    if expected.fault and not found.fault:
        message = f"{text} halts without a fault, but {_reason_of_fault(place, expected.pc)}"
        return Difference(DivergenceKind.RUN_INSTEAD_OF_FAULT, message, expected, found)
    if found.pc != expected.pc:
        message = f"the program ends at pc {found.pc} rather than at {text}"
        return Difference(DivergenceKind.END_PC, message, expected, found)
    pairs = {
        field.name: (getattr(expected.counters, field.name), getattr(found.counters, field.name))
        for field in fields(Counters)
    }
    wrong = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    if wrong:
        values = [
            f"{name} is {came} rather than {must}, {counter_text(must, came)}"
            for name, (must, came) in wrong.items()
        ]
        message = f"every retire was right, but at the end {', '.join(values)}"
        told = [", ".join(f"{name} {pair[side]}" for name, pair in wrong.items()) for side in (0, 1)]
        return Difference(
            DivergenceKind.COUNTER,
            message,
            expected,
            found,
            told=(f"{told[0]} at the end", f"{told[1]} at the end"),
            cycle=found.cycle + 1,
            counters=tuple(wrong),
        )
    message = f"{text} ends the program in cycle {found.cycle} rather than {expected.cycle}"
    return Difference(DivergenceKind.TIMING, message, expected, found)


def end_instead_of_event(place: Place, expected: Write | Retire, found: End) -> Difference:
    """Classify an end that comes while something must still happen."""
    text = place.text(expected.pc)
    if found.fault:
        message = f"{text} is legal and must run, but the chip faults at pc {found.pc}"
        return Difference(DivergenceKind.FAULT_INSTEAD_OF_RUN, message, expected, found)
    message = f"the chip halts at pc {found.pc} while {text} has a {expected.kind} pending"
    return Difference(DivergenceKind.END_WITH_EVENT_PENDING, message, expected, found)


def event_instead_of_end(place: Place, expected: End, found: Write | Retire) -> Difference:
    """Classify an event that comes when the program must end."""
    text = place.text(expected.pc)
    if expected.fault and found.pc == expected.pc:
        message = f"{text} must fault, for {_reason_of_fault(place, expected.pc)}, but it runs"
        return Difference(DivergenceKind.RUN_INSTEAD_OF_FAULT, message, expected, found)
    if isinstance(found, Write):
        reason = f"the program ends with the {expected.kind} at pc {expected.pc}, and no unit is running"
        return write_outside_turn(expected, found, reason)
    return retire_without_issue(place, expected, found)


def event_after_end(place: Place, found: Event) -> Difference:
    """Classify an event that comes after the program has ended."""
    end = place.trace.end
    if isinstance(found, Write):
        reason = f"the program has ended at pc {end.pc}"
        return write_outside_turn(None, found, reason)
    if isinstance(found, Retire):
        message = f"{place.text(found.pc)} retires after the program has ended at pc {end.pc}"
        return Difference(DivergenceKind.RETIRE_WITHOUT_ISSUE, message, None, found)
    return Difference(DivergenceKind.EXTRA, "the program ends a second time", None, found)


def hang(place: Place, expected: Event) -> Difference:
    """Describe a run after whose last event nothing more happens."""
    last = f"after {event_text(place.found[-1])}" if place.found else "from the start"
    message = f"nothing happens {last}, but {place.text(expected.pc)} has a {expected.kind} to come"
    return Difference(DivergenceKind.HANG, message, expected, None)


def _reason_of_fault(place: Place, pc: int) -> str:
    return str(fault_reason(decode(place.trace.bundle.code[pc])))
