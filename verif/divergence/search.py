"""The search for the first divergence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from refmodel.isa.encoding import decode
from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Halt, Instruction
from refmodel.isa.timing import unit_of
from refmodel.machine.event_text import mnemonic
from refmodel.machine.events import Event, Retire, Write
from refmodel.machine.trace import Trace
from verif.divergence.classification import agree, classify
from verif.divergence.difference import Difference
from verif.divergence.divergence import RETIRES_SHOWN, Divergence, RetirePair
from verif.divergence.streams import Place


def find_divergence(trace: Trace, found: Iterable[Event]) -> Divergence | None:
    """Return the first difference between the model's trace of a program and a run, or None if they agree.

    Events found carry one cycle each. Only the first difference is told: what comes after it may be its
    consequence.
    """
    expected_events: Sequence[Event] = tuple(trace.events)
    found_events: Sequence[Event] = tuple(found)
    for index, (must, came) in enumerate(zip_longest(expected_events, found_events)):
        if not agree(must, came):
            place = Place(trace, expected_events, found_events, index)
            return _divergence(place, classify(place))
    return None


def _divergence(place: Place, difference: Difference) -> Divergence:
    """Add what surrounds a difference."""
    pc = difference.expected.pc if difference.expected else place.trace.end.pc
    instruction = _instruction(place.trace, pc)
    completes = pc < len(place.trace.instructions)
    before = place.found[place.index - 1].cycle if place.index else 0
    element = None
    if isinstance(difference.expected, Write):
        element = place.running(pc).element(place.position_in_instruction())
    return Divergence(
        kind=difference.kind,
        message=difference.message,
        pc=pc,
        text=place.trace.disassembly(pc),
        opcode=mnemonic(instruction.opcode),
        unit=unit_of(instruction) if fault_reason(instruction) is None else None,
        cycle=difference.found.cycle if difference.found else before,
        position=place.index,
        expected=difference.expected,
        found=difference.found,
        element=element,
        timing=difference.timing,
        operands=place.running(pc).reads if completes else (),
        retires_before=_retires_before(place),
    )


def _instruction(trace: Trace, pc: int) -> Instruction:
    return decode(trace.bundle.code[pc]) if pc < len(trace.bundle.code) else Halt()


def _retires_before(place: Place) -> tuple[RetirePair, ...]:
    """Pair the last retires; since everything before the place agrees, they stand at the same positions."""
    pairs = [
        RetirePair(expected.pc, place.trace.disassembly(expected.pc), expected, found)
        for expected, found in zip(place.expected[: place.index], place.found[: place.index], strict=True)
        if isinstance(expected, Retire) and isinstance(found, Retire)
    ]
    return tuple(pairs[-RETIRES_SHOWN:])
