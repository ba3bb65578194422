"""What is made of a traced run as a whole: random response delays, and traces longer than is kept."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from refmodel.isa.instructions import Load, Store
from refmodel.machine.events import End, Event, Memory, Retire, Write
from refmodel.machine.tests.helpers import program
from refmodel.machine.trace import trace_program
from sequences.directed.directed_program import DirectedProgram
from sequences.stimulus import PLAIN, ResponseDelays, Stimulus
from verif.bfm.harness import TraceKind
from verif.divergence.divergence import Divergence
from verif.divergence.kind import DivergenceKind as Kind
from verif.failure.diagnosis import diagnose
from verif.scoreboard.expected_run import LOAD_SPAN_OVERHEAD
from verif.tests.found_events import found_events
from verif.trace.recorded_trace import RecordedTrace
from verif.trace.traced_run import TracedRun

BUNDLE = program(Load(0, 0, 2), Load(2, 2, 3), Store(0, 20, 5), Load(5, 0, 2), ext=range(5), scratchpad=[])
SPANS = (7, 31, 12)
TRACE = trace_program(BUNDLE, None, [span + LOAD_SPAN_OVERHEAD for span in SPANS])
EVENTS = found_events(TRACE)
RETIRES = [position for position, event in enumerate(EVENTS) if isinstance(event, Retire)]


def recorded(events: Sequence[Event], *, complete: bool = True) -> RecordedTrace:
    start = TraceKind.START << 124 | 1 << 88
    return RecordedTrace((start, *map(_entry, events)), (), sees_scratchpad=True, complete=complete)


def _entry(event: Event) -> int:
    entry = event.cycle << 88 | event.pc << 72
    match event:
        case Write(memory, _, address, data):
            kind = TraceKind.EXT if memory is Memory.EXT else TraceKind.SCRATCHPAD
            return kind << 124 | entry | address << 32 | data
        case Retire(_, opcode, mm, dma, vec):
            return TraceKind.RETIRE << 124 | opcode << 120 | entry | mm << 48 | dma << 24 | vec
        case End(_, fault):
            return TraceKind.END << 124 | entry | fault


def delayed(events: Sequence[Event], spans: tuple[int, ...]) -> Divergence | None:
    """Return the divergence of a run with random response delays that did not come to an end."""
    delays = Stimulus(response_delays=ResponseDelays(1, 40))
    run = TracedRun(recorded(events), None, {}, spans)
    return diagnose(DirectedProgram("delayed", BUNDLE, delays), None, run).divergence


def test_a_right_run_under_random_delays() -> None:
    assert delayed(EVENTS, SPANS) is None


@pytest.mark.parametrize("loads", [0, 1, 2])
def test_a_hang_under_random_delays(loads: int) -> None:
    """The chip reads for some LDs only: the others took no time that could be known."""
    seen = EVENTS[: (0, RETIRES[0] + 1, RETIRES[1] + 1)[loads]]
    divergence = delayed(seen, SPANS[:loads])
    assert divergence is not None
    assert (divergence.kind, divergence.position, divergence.pc) == (Kind.HANG, len(seen), loads)


def test_more_loads_than_the_program_has() -> None:
    extra = Retire(4, 1, 0, 9, 0, EVENTS[-1].cycle + 7)
    divergence = delayed([*EVENTS[:-1], extra], (*SPANS, 6))
    assert divergence is not None
    assert (divergence.kind, divergence.found) == (Kind.RETIRE_WITHOUT_ISSUE, extra)


@pytest.mark.parametrize("wrong", [[], [23]])
def test_a_trace_that_was_not_kept_to_its_end(wrong: list[int]) -> None:
    """Memory at the end still tells what was wrong in the part that nobody kept."""
    plain = trace_program(BUNDLE)
    result = plain.result()
    result.ext[wrong] ^= 1
    run = TracedRun(recorded(found_events(plain)[:5], complete=False), result, {}, None)
    diagnosis = diagnose(DirectedProgram("long", BUNDLE, PLAIN), None, run)
    assert diagnosis.remarks == ("the first 5 events agree; the rest was not kept",)
    divergence = diagnosis.divergence
    assert bool(divergence) == bool(wrong)
    if divergence is not None:
        assert (divergence.kind, divergence.pc, divergence.position) == (Kind.STATE, 2, 5)
