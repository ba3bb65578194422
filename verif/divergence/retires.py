"""Rules for a retire that is not the event expected, or not as expected."""

from __future__ import annotations

from collections.abc import Sequence

from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES
from refmodel.machine.event_text import busy_text, mnemonic
from refmodel.machine.events import End, Event, Retire, Write
from verif.counter_text import counter_text
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind
from verif.divergence.streams import Place, same_word
from verif.divergence.timing import timing_difference

_BUSY = {"cyc_mm": "busy_mm", "cyc_dma": "busy_dma", "cyc_vec": "busy_vec"}
"""The counters by their ports, and what a retire has of each."""


def retire_instead_of_retire(place: Place, expected: Retire, found: Retire) -> Difference:
    """Classify two retires that differ."""
    if _is_another(expected, found):
        return retire_without_issue(place, expected, found)
    difference = time_difference(place, expected, found)
    assert difference is not None
    return difference


def retire_instead_of_write(place: Place, expected: Write, found: Retire) -> Difference:
    """Classify a retire that comes while its instruction still has to write."""
    opcode = place.running(expected.pc).instruction.opcode
    if (found.pc, found.opcode) != (expected.pc, opcode):
        return retire_without_issue(place, expected, found)
    missing = place.expected_writes(expected.pc)
    late = _come_late(missing, place.found[place.index + 1 :], found)
    retires = place.retires(expected.pc)
    in_time = time_difference(place, *retires) if retires else None
    count = f"{len(missing)} of its writes"
    if late and in_time:
        message = f"{in_time.message}; {count} come after its retire"
        return Difference(in_time.kind, message, in_time.expected, found, in_time.timing)
    kind = DivergenceKind.ORDER if late else DivergenceKind.MISSING
    text = place.text(expected.pc)
    message = f"{text} retires {'before' if late else 'without'} {count}"
    if in_time:
        message += f"; it {in_time.message.removeprefix(text).lstrip()}"
    return Difference(kind, message, expected, found, in_time.timing if in_time else None)


def retire_without_issue(place: Place, expected: Event, found: Retire) -> Difference:
    """Say why the instruction that retires cannot be the one that was issued last."""
    end = place.trace.end
    if found.pc == expected.pc and found.pc < end.pc:
        reason = f"retires as {mnemonic(found.opcode)}, which is not what was issued there"
    elif found.pc < expected.pc:
        reason = f"retires again, while pc {expected.pc} runs"
    elif found.pc < end.pc:
        reason = f"retires although pc {expected.pc} was issued last and has not retired"
    else:
        reason = f"retires, but the program ends with the {end.kind} at pc {end.pc}: nothing is issued there"
    message = f"{place.text(found.pc)} {reason}"
    return Difference(DivergenceKind.RETIRE_WITHOUT_ISSUE, message, expected, found)


def time_difference(place: Place, expected: Retire, found: Retire) -> Difference | None:
    """Compare the times of one instruction; `place` is anywhere within it. None if they agree."""
    if expected == found or _is_another(expected, found):
        return None
    instruction = place.running(expected.pc).instruction
    text = place.text(expected.pc)
    late = found.cycle - expected.cycle
    when = f"{abs(late)} {'cycle' if abs(late) == 1 else 'cycles'} {'late' if late > 0 else 'early'}"
    if late and found.busy == expected.busy and _ends_in_time(place):
        message = f"{text} is counted {when}, by n_inst alone: it and all after it keep their time"
        told = (f"n_inst steps at the end of cycle {expected.cycle}", f"at the end of cycle {found.cycle}")
        return Difference(DivergenceKind.COUNTER, message, expected, found, told=told, counters=("n_inst",))
    if found.busy == expected.busy:
        if late:
            front = found.cycle - place.cycle_before - found.busy
            message = (
                f"{text} retires {when} though its busy cycles are right: FETCH and ISSUE took {front} "
                f"cycles rather than {FETCH_CYCLES + ISSUE_CYCLES}, or busy cycles were not counted"
            )
            return Difference(DivergenceKind.TIMING, message, expected, found)
        message = (
            f"{text} counts {busy_text(found)}, the law says {busy_text(expected)}: another unit's counter"
        )
        return Difference(DivergenceKind.COUNTER, message, expected, found, counters=_wrong(expected, found))
    if not late:
        wrong = _wrong(expected, found)
        moves = ", ".join(f"{name} moves by {_moved(found, name)}" for name in wrong)
        off = ", ".join(counter_text(_moved(expected, name), _moved(found, name)) for name in wrong)
        message = (
            f"{text} counts {busy_text(found)}, the law says {busy_text(expected)}, and it retires in time: "
            f"the counter is wrong, not the unit; {moves}, {off}"
        )
        return Difference(DivergenceKind.COUNTER, message, expected, found, counters=wrong)
    timing = timing_difference(instruction, place.trace.bundle.read_latency, found.busy)
    message = f"{text} is busy for {found.busy} cycles rather than {expected.busy}"
    if timing.difference != late:
        message += f", and retires {when}"
    return Difference(DivergenceKind.TIMING, message, expected, found, timing)


def _ends_in_time(place: Place) -> bool:
    """Does the run end as it must, in its cycle and with its counters, whatever its retires say?"""
    return isinstance(place.found[-1], End) and place.found[-1] == place.trace.end


def _wrong(expected: Retire, found: Retire) -> tuple[str, ...]:
    """Return the counters that a retire has moved wrongly."""
    return tuple(name for name in _BUSY if _moved(expected, name) != _moved(found, name))


def _moved(retire: Retire, name: str) -> int:
    moved: int = getattr(retire, _BUSY[name])
    return moved


def _come_late(missing: Sequence[Write], afterwards: Sequence[Event], retire: Retire) -> bool:
    """Do the missing writes follow the retire before the next instruction has its turn?"""
    last = retire.cycle + FETCH_CYCLES + ISSUE_CYCLES
    return len(afterwards) >= len(missing) and all(
        isinstance(event, Write) and same_word(write, event) and (event.pc == write.pc or event.cycle <= last)
        for write, event in zip(missing, afterwards, strict=False)
    )


def _is_another(expected: Retire, found: Retire) -> bool:
    return (expected.pc, expected.opcode) != (found.pc, found.opcode)
