"""What is made of a traced run as a whole: random response delays, and traces longer than is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from refmodel.isa.instructions import Load, Store
from refmodel.machine.events import End, Event, Memory, Request, Retire, Write
from refmodel.machine.tests.helpers import program
from refmodel.machine.trace import trace_program
from sequences.directed.directed_program import DirectedProgram
from sequences.stimulus import PLAIN, ResponseDelays, Stimulus
from sequences.timed_program import timed_program
from verif.bfm.harness import TraceKind
from verif.divergence.divergence import Divergence
from verif.divergence.kind import DivergenceKind as Kind
from verif.failure.diagnosis import diagnose
from verif.tests.found_events import found_events
from verif.trace.recorded_trace import RecordedTrace
from verif.trace.traced_run import TracedRun

BUNDLE = program(Load(0, 0, 2), Load(2, 2, 3), Store(0, 20, 5), Load(5, 0, 2), ext=range(5), scratchpad=[])
DELAYS = Stimulus(response_delays=ResponseDelays(1, 40))
TIMED = timed_program(BUNDLE.code, BUNDLE.read_latency, DELAYS)
TRACE = trace_program(
    BUNDLE, None, [busy for _, opcode, _, busy, _ in TIMED.retires.tolist() if opcode == Load.opcode]
)
EVENTS = found_events(TRACE)
REQUESTS = tuple(TRACE.requests)
RETIRES = [position for position, event in enumerate(EVENTS) if isinstance(event, Retire)]


def recorded(
    events: Sequence[Event], *, complete: bool = True, requests: Sequence[Request] = REQUESTS
) -> RecordedTrace:
    start = TraceKind.START << 124 | 1 << 88
    asked = [each for each in requests if each.cycle <= events[-1].cycle] if events else []
    entries = map(_entry, [*events, *asked])
    return RecordedTrace((start, *entries), (), sees_scratchpad=True, complete=complete)


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
        case Request(_, address):
            return TraceKind.REQUEST << 124 | entry | address << 32


def _with_data(event: Event) -> Event:
    assert isinstance(event, Write)
    return replace(event, data=7)


def delayed(events: Sequence[Event]) -> Divergence | None:
    """Return the divergence of a run with random response delays that did not come to an end."""
    run = TracedRun(recorded(events), None, {})
    return diagnose(DirectedProgram("delayed", BUNDLE, DELAYS), None, run).divergence


def test_a_right_run_under_random_delays() -> None:
    assert delayed(EVENTS) is None


@pytest.mark.parametrize("loads", [0, 1, 2])
def test_a_hang_under_random_delays(loads: int) -> None:
    seen = EVENTS[: (0, RETIRES[0] + 1, RETIRES[1] + 1)[loads]]
    divergence = delayed(seen)
    assert divergence is not None
    assert (divergence.kind, divergence.position, divergence.pc) == (Kind.HANG, len(seen), loads)


def test_a_request_of_another_word_is_no_wrong_data() -> None:
    asked = replace(REQUESTS[3], address=99)
    wrong = [_with_data(event) if event == EVENTS[4] else event for event in EVENTS]
    run = TracedRun(recorded(wrong, requests=(*REQUESTS[:3], asked, *REQUESTS[4:])), None, {})
    divergence = diagnose(DirectedProgram("delayed", BUNDLE, DELAYS), None, run).divergence
    assert divergence is not None
    assert (divergence.kind, divergence.pc, divergence.cycle) == (Kind.ADDRESS, 1, asked.cycle)
    assert "requests external word 99 rather than 3 in busy cycle 2" in divergence.message


@pytest.mark.parametrize(
    ("requests", "kind", "message"),
    [
        ((*REQUESTS[:1], *REQUESTS[2:]), Kind.MISSING, "requests nothing in busy cycle 2"),
        ((*REQUESTS, Request(4, 9, TRACE.end.cycle)), Kind.EXTRA, "external word 9 is requested"),
        (
            (REQUESTS[0], replace(REQUESTS[1], cycle=REQUESTS[1].cycle + 1), *REQUESTS[2:]),
            Kind.TIMING,
            "in busy cycle 3 rather than 2",
        ),
    ],
)
def test_requests_in_other_cycles(requests: tuple[Request, ...], kind: Kind, message: str) -> None:
    run = TracedRun(recorded(EVENTS, requests=requests), None, {})
    divergence = diagnose(DirectedProgram("delayed", BUNDLE, DELAYS), None, run).divergence
    assert divergence is not None
    assert divergence.kind is kind
    assert message in divergence.message


def started(*begins: int, extra_start: tuple[int, int] | None = None) -> Divergence | None:
    """Return the divergence of a right program whose passes begin in these cycles of the run."""
    bundle = program()
    entries: list[int] = []
    for begin in begins:
        entries += [TraceKind.START << 124 | 1 << 88 | begin + 1, *map(_entry, trace_program(bundle).events)]
    run = TracedRun(RecordedTrace(tuple(entries), (), sees_scratchpad=True), None, {})
    return diagnose(
        DirectedProgram("started", bundle, Stimulus(extra_start=extra_start)), None, run
    ).divergence


def test_starts() -> None:
    """The program is an empty one: it halts in cycle 2 of each pass."""
    assert started(0) is None
    assert started(0, 3, 6, extra_start=(1, 7)) is None
    cases = {
        (): "pass 1 did not start: in cycle 0 start is high, but is lost",
        (0, 3): "pass 3 did not start: in cycle 3 of pass 2, 1 after the halt at pc 0, start is high",
        (0, 4, 7): "pass 2 did not start when it must: in cycle 3 of pass 1",
        (0, 3, 6, 9): "pass 4 must not start, but does so: in cycle 3 of pass 3",
    }
    for begins, message in cases.items():
        divergence = started(*begins, extra_start=(1, 7))
        assert divergence is not None
        assert divergence.kind is Kind.START
        assert divergence.message.startswith(message)
        assert message.partition(":")[0] in divergence.headline


def test_a_check_that_failed_before_is_the_first_sign() -> None:
    """In the same instruction it is told beside a wrong word; in an earlier one it is the divergence."""
    late = [_with_data(event) if event == EVENTS[RETIRES[1] - 1] else event for event in EVENTS]

    def failing(cycle: int) -> Divergence:
        run = TracedRun(recorded(late), None, {"COUNTER_LAW": (2, cycle)})
        divergence = diagnose(DirectedProgram("delayed", BUNDLE, DELAYS), None, run).divergence
        assert divergence is not None
        return divergence

    found = late[RETIRES[1] - 1]
    same = failing(TRACE.instructions[1].busy.first)
    assert (same.kind, same.pc, same.cycle) == (Kind.DATA, 1, found.cycle)
    first = TRACE.instructions[1].busy.first
    assert f"check COUNTER_LAW fails from cycle {first} on" in same.message
    before = failing(TRACE.instructions[0].busy.last)
    assert (before.kind, before.pc, before.cycle) == (Kind.RULE, 0, TRACE.instructions[0].busy.last)
    assert (failing(found.cycle + 1).kind, failing(found.cycle + 1).cycle) == (Kind.DATA, found.cycle)


def test_more_loads_than_the_program_has() -> None:
    extra = Retire(4, 1, 0, 9, 0, EVENTS[-1].cycle + 7)
    divergence = delayed([*EVENTS[:-1], extra])
    assert divergence is not None
    assert (divergence.kind, divergence.found) == (Kind.RETIRE_WITHOUT_ISSUE, extra)


@pytest.mark.parametrize("wrong", [[], [23]])
def test_a_trace_that_was_not_kept_to_its_end(wrong: list[int]) -> None:
    """Memory at the end still tells what was wrong in the part that nobody kept."""
    plain = trace_program(BUNDLE)
    result = plain.result()
    result.ext[wrong] ^= 1
    run = TracedRun(
        recorded(found_events(plain)[:5], complete=False, requests=tuple(plain.requests)), result, {}
    )
    diagnosis = diagnose(DirectedProgram("long", BUNDLE, PLAIN), None, run)
    assert diagnosis.remarks == ("the first 5 events are known; the rest was not kept",)
    divergence = diagnosis.divergence
    assert bool(divergence) == bool(wrong)
    if divergence is not None:
        assert (divergence.kind, divergence.pc, divergence.position) == (Kind.STATE, 2, 5)
