"""Rules for a write that is not the event expected, or not as expected."""

from __future__ import annotations

from refmodel.isa.instructions import Store
from refmodel.isa.timing import STORE_LEAD_CYCLES
from refmodel.machine.event_text import event_text, mnemonic, word_text
from refmodel.machine.events import Event, Memory, Retire, Write
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind
from verif.divergence.retires import time_difference
from verif.divergence.streams import Place, same_word
from verif.divergence.word_order import compare_order


def write_instead_of_write(place: Place, expected: Write, found: Write) -> Difference:
    """Classify two writes that differ: first whose turn it is, then what is written, then when."""
    foreign = _foreign(place, expected, found)
    if foreign is not None:
        return foreign
    if not same_word(expected, found):
        return _another_word(place, expected, found)
    return _another_time(place, expected, found)


def write_instead_of_retire(place: Place, expected: Retire, found: Write) -> Difference:
    """Classify a write that comes when its instruction, or the one before, has nothing left but to retire."""
    following = place.expected[place.index + 1]
    if isinstance(following, Write) and following.pc == found.pc and same_word(following, found):
        swapped = place.found[place.index + 1 : place.index + 2]
        if any(isinstance(event, Retire) and event.pc == expected.pc for event in swapped):
            message = f"{place.text(found.pc)} writes before pc {expected.pc} retires"
            return Difference(DivergenceKind.ORDER, message, expected, found)
        message = f"{place.text(expected.pc)} never retires, but pc {found.pc} writes"
        return Difference(DivergenceKind.MISSING, message, expected, found)
    foreign = _foreign(place, expected, found)
    if foreign is not None:
        return foreign
    text = place.text(expected.pc)
    number = len(place.running(expected.pc).writes)
    message = f"{text} writes again after its {number} {'write' if number == 1 else 'writes'}"
    retires = place.retires(expected.pc)
    in_time = time_difference(place, *retires) if retires else None
    if in_time:
        message += f"; it {in_time.message.removeprefix(text).lstrip()}"
    return Difference(DivergenceKind.EXTRA, message, expected, found, in_time.timing if in_time else None)


def write_outside_turn(expected: Event | None, found: Write, reason: str) -> Difference:
    """Say why no unit may write at this moment."""
    message = f"{found.kind} of word {found.address} with pc {found.pc}: {reason}"
    return Difference(DivergenceKind.WRITE_OUTSIDE_TURN, message, expected, found)


def _foreign(place: Place, expected: Write | Retire, found: Write) -> Difference | None:
    """Return a difference if the write cannot come from the instruction that must be running."""
    running = place.running(expected.pc)
    if found.pc != expected.pc:
        reason = f"{place.text(expected.pc)} must be running, it has not retired"
    elif (found.memory is Memory.EXT) != isinstance(running.instruction, Store):
        reason = f"{mnemonic(running.retire.opcode)} is running, which never writes there"
    elif found.cycle < running.busy.first:
        reason = f"its first busy cycle is {running.busy.first}, so the word is not even issued"
    else:
        return None
    return write_outside_turn(expected, found, reason)


def _another_word(place: Place, expected: Write, found: Write) -> Difference:
    """Classify a write of another word or to another address, by what follows on both sides."""
    text = place.text(expected.pc)
    expected_writes, found_writes = place.expected_writes(expected.pc), place.found_writes(expected.pc)
    kind = compare_order(expected_writes, found_writes)
    messages = {
        DivergenceKind.MISSING: f"{text} leaves out the write of word {expected.address}",
        DivergenceKind.EXTRA: f"{text} writes word {found.address} in between",
        DivergenceKind.ORDER: f"{text} writes word {found.address} before word {expected.address}",
        DivergenceKind.DATA: f"{text} writes {word_text(found.data, found.unknown)} rather than "
        f"{word_text(expected.data)} to word {expected.address}",
        DivergenceKind.ADDRESS: f"{text} writes to word {found.address} rather than {expected.address}",
    }
    message = messages[kind]
    if kind is DivergenceKind.ORDER and found.address == expected.address:
        message = f"{text} writes the values of word {found.address} in another order"
    if kind in (DivergenceKind.MISSING, DivergenceKind.EXTRA):
        message += f": {len(found_writes)} writes are left, not {len(expected_writes)}"
    told = None
    if kind is DivergenceKind.EXTRA:
        told = (f"no write in cycle {found.cycle}; the next is {event_text(expected)}", event_text(found))
    if kind is DivergenceKind.MISSING:
        told = (event_text(expected), f"no such write; the next is {event_text(found)}")
    return Difference(kind, message, expected, found, told=told)


def _another_time(place: Place, expected: Write, found: Write) -> Difference:
    """Classify the right word in a cycle in which it must not be written."""
    text, busy = place.text(expected.pc), place.running(expected.pc).busy
    if expected.memory is Memory.SCRATCHPAD:
        # Too late for the turn that the law gives; that the turn itself was too long is the better answer.
        retires = place.retires(expected.pc)
        in_time = time_difference(place, *retires) if retires else None
        if in_time is not None:
            return in_time
        reason = f"its last busy cycle was {busy.last}, and it is cycle {found.cycle}"
        return write_outside_turn(expected, found, reason)
    must, came = (event.span.first - busy.first + 1 for event in (expected, found))
    position = place.position_in_instruction()
    cause = f"the {position} words before left in time"
    if not position:
        cause = f"control before the first write is {came - 1} rather than {STORE_LEAD_CYCLES} cycles"
    message = f"{text} writes word {expected.address} in busy cycle {came} rather than {must}: {cause}"
    return Difference(DivergenceKind.TIMING, message, expected, found)
