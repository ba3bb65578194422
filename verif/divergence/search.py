"""The search for the first divergence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest

from refmodel.isa.encoding import decode
from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Halt, Instruction
from refmodel.isa.timing import unit_of
from refmodel.machine.event_text import mnemonic
from refmodel.machine.events import Event, Memory, Request, Retire, Write
from refmodel.machine.result import RunResult
from refmodel.machine.trace import Trace
from verif.divergence.classification import agree, classify
from verif.divergence.difference import Difference
from verif.divergence.divergence import RETIRES_SHOWN, Divergence, RetirePair
from verif.divergence.final_state import state_difference
from verif.divergence.kind import DivergenceKind
from verif.divergence.reads import ScratchpadReads, reads_difference
from verif.divergence.requests import request_difference
from verif.divergence.reset import after_reset, may_be_cut
from verif.divergence.rule import BrokenRules, rule_difference, rule_name
from verif.divergence.streams import Place
from verif.divergence.tensor_value import tensor_value


def find_divergence(
    trace: Trace, found: Iterable[Event], *, sees_scratchpad: bool = True, reset_cycle: int | None = None
) -> Divergence | None:
    """Return the first difference between the model's trace of a program and a run, or None if they agree.

    Events found carry one cycle each. Without `sees_scratchpad` they hold no scratchpad writes. `reset_cycle`
    is the cycle in which rst was high and ended the run. Only the first difference is told: what comes after
    it may be its consequence.
    """
    expected_events = tuple(event for event in trace.events if sees_scratchpad or not _is_hidden(event))
    found_events = tuple(found)
    for index, (must, came) in enumerate(zip_longest(expected_events, found_events)):
        place = Place(trace, expected_events, found_events, index)
        if reset_cycle is not None:
            if came is None and may_be_cut(must, reset_cycle):
                return None
            if came is not None and came.cycle > reset_cycle:
                return _divergence(place, after_reset(must, came, reset_cycle))
        if not agree(must, came):
            return _divergence(place, classify(place))
    return None


def find_request_divergence(
    trace: Trace, found: Iterable[Event], requests: Sequence[Request], reset_cycle: int | None = None
) -> Divergence | None:
    """Return the first wrong read request of a run whose events are `found`; None if there is none.

    Requests wait for no other event, so they are compared by themselves; `reset_cycle` as above.
    """
    difference = request_difference(trace, requests, reset_cycle)
    if difference is None or difference.cycle is None:
        return None
    before = tuple(event for event in found if event.cycle < difference.cycle)
    return _divergence(Place(trace, before, before, len(before)), difference)


def find_start_divergence(trace: Trace, difference: Difference) -> Divergence:
    """Return the divergence that a wrong start is; `trace` is of the pass before it, or of the first."""
    events = tuple(trace.events) if difference.cycle else ()
    return _divergence(Place(trace, events, events, len(events)), difference)


def with_first_sign(trace: Trace, divergence: Divergence, broken: BrokenRules) -> Divergence:
    """Return a divergence with the check of the harness that failed before its event came, if one did.

    The first wrong cycle is the check's then, unless a word is wrong, which shows where it is written; where
    an earlier instruction was running, the check is the divergence. The model tells what runs, and a chip may
    be late: an instruction after the diverging one is that one.
    """
    rule = rule_difference(trace, broken)
    if rule is None or rule[0] >= divergence.cycle or rule[0] < 1:
        return divergence
    cycle, difference = rule
    if difference.pc is not None and difference.pc < divergence.pc:
        events = tuple(event for event in trace.events if event.cycle < cycle)
        return replace(_divergence(Place(trace, events, events, len(events)), difference), cycle=cycle)
    message = f"{divergence.message}; check {rule_name(broken)} fails from cycle {cycle} on"
    if isinstance(divergence.found, Write | Request):
        return replace(divergence, message=message)
    return replace(
        divergence, cycle=cycle, message=message, counters=divergence.counters or difference.counters
    )


def find_silent_divergence(
    trace: Trace,
    found: Iterable[Event],
    result: RunResult | None,
    broken: BrokenRules,
    reads: ScratchpadReads | None = None,
) -> Divergence | None:
    """Return what is wrong with a run whose events all agree: its memory, its reads, or a broken rule.

    `result` is the run's, None if it has none to compare, and so are `reads`. None is returned if nothing is
    wrong.
    """
    events = tuple(found)
    place = Place(trace, events, events, len(events))
    difference = None if result is None else state_difference(trace, result)
    if difference is None and reads is not None:
        difference = reads_difference(trace, reads)
    if difference is not None:
        return _divergence(place, difference)
    rule = rule_difference(trace, broken)
    if rule is None:
        return None
    cycle, difference = rule
    before = tuple(event for event in events if event.cycle < cycle)
    return replace(_divergence(Place(trace, before, before, len(before)), difference), cycle=cycle)


def _is_hidden(event: Event) -> bool:
    return isinstance(event, Write) and event.memory is Memory.SCRATCHPAD


def _divergence(place: Place, difference: Difference) -> Divergence:
    """Add what surrounds a difference."""
    pc = difference.expected.pc if difference.expected else place.trace.end.pc
    pc = pc if difference.pc is None else difference.pc
    instruction = _instruction(place.trace, pc)
    completes = pc < len(place.trace.instructions)
    before = place.found[place.index - 1].cycle if place.index else 0
    element = None
    if isinstance(difference.expected, Write) and difference.kind is not DivergenceKind.STATE:
        element = place.running(pc).element(place.position_in_instruction())
    source_map = place.trace.bundle.source_map
    source = None if source_map is None else source_map.instruction(pc)
    return Divergence(
        kind=difference.kind,
        message=difference.message,
        pc=pc,
        text=place.trace.disassembly(pc),
        opcode=mnemonic(instruction.opcode),
        unit=unit_of(instruction) if fault_reason(instruction) is None else None,
        cycle=(difference.found.cycle if difference.found else before)
        if difference.cycle is None
        else difference.cycle,
        position=place.index,
        expected=difference.expected,
        found=difference.found,
        element=element,
        source=None if source is None else str(source),
        service=None if source is None else source.service,
        tensor=tensor_value(place.trace, difference.expected, difference.found),
        timing=difference.timing,
        operands=place.running(pc).reads if completes else (),
        retires_before=_retires_before(place),
        told=difference.told,
        counters=difference.counters,
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
