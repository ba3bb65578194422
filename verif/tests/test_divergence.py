"""Every kind of divergence, and what is told beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from refmodel.isa.instructions import Load, Store
from refmodel.isa.timing import Unit
from refmodel.machine.events import ALL_BITS, CycleSpan, End, Event, Memory, Retire, Write
from refmodel.machine.tests.helpers import program
from refmodel.machine.trace import Trace, trace_program
from verif.divergence.kind import DivergenceKind as Kind
from verif.divergence.search import find_divergence
from verif.tests.divergence_cases import (
    CASES,
    FAULTING,
    LAST_LOAD,
    TRACE,
    Events,
    at,
    changed,
    diverging,
    dropped,
    position,
    retire,
    swapped,
    write,
)
from verif.tests.found_events import found_events, longer, moved, with_busy


@pytest.mark.parametrize("name", CASES)
def test_kind(name: str) -> None:
    change, kind, pc, message = CASES[name]
    divergence = diverging(change)
    assert (divergence.kind, divergence.pc) == (kind, pc), divergence.message
    assert message in divergence.message


def test_every_kind_has_a_case() -> None:
    elsewhere = {
        Kind.RUN_INSTEAD_OF_FAULT,
        Kind.STATE,
        Kind.READS,
        Kind.RULE,
        Kind.START,
    }  # below, and in test_divergence_silent.py
    assert {kind for _, kind, _, _ in CASES.values()} | elsewhere == set(Kind)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (End(1, False, FAULTING.end.counters, FAULTING.end.cycle), "halts without a fault, but opcode 9"),
        (Write(Memory.SCRATCHPAD, 1, 0, 0, CycleSpan.at(20)), "must fault, for opcode 9"),
        (Retire(1, 9, 1, 0, 0, 20), "must fault, for opcode 9"),
    ],
)
def test_run_instead_of_fault(wrong: Event, message: str) -> None:
    divergence = find_divergence(FAULTING, [*found_events(FAULTING)[:-1], wrong])
    assert divergence is not None
    assert (divergence.kind, divergence.pc, divergence.unit) == (Kind.RUN_INSTEAD_OF_FAULT, 1, None)
    assert message in divergence.message


def test_a_write_before_the_fault_is_nobodys() -> None:
    wrong = Write(Memory.SCRATCHPAD, 0, 0, 0, CycleSpan.at(20))
    divergence = find_divergence(FAULTING, [*found_events(FAULTING)[:-1], wrong])
    assert divergence is not None
    assert divergence.kind is Kind.WRITE_OUTSIDE_TURN


@pytest.mark.parametrize("trace", [TRACE, FAULTING])
def test_equal_runs_do_not_diverge(trace: Trace) -> None:
    assert find_divergence(trace, iter(found_events(trace))) is None


def test_an_instruction_whose_size_faults_belongs_to_no_unit() -> None:
    trace = trace_program(program(Load(0, 0, 0)))
    divergence = find_divergence(trace, [])
    assert divergence is not None
    assert (divergence.kind, divergence.opcode, divergence.unit) == (Kind.HANG, "LD", None)
    assert divergence.operands == ()


def test_writes_of_the_next_instruction_do_not_count() -> None:
    def change(events: Events) -> None:
        dropped(0, 8)(events)
        dropped(0, 0)(events)

    divergence = diverging(change)
    assert divergence.kind is Kind.MISSING
    assert "leaves out the write of word 0: 7 writes are left, not 8" in divergence.message


def test_undefined_words_are_not_compared_but_their_addresses_are() -> None:
    trace = trace_program(program(Store(0, 0, 2)))
    events = found_events(trace)
    changed(0, 0, data=5, unknown=0)(events)
    changed(0, 1, unknown=ALL_BITS)(events)
    assert find_divergence(trace, events) is None
    changed(0, 1, address=7)(events)
    divergence = find_divergence(trace, events)
    assert divergence is not None
    assert divergence.kind is Kind.ADDRESS


def test_the_first_of_two_differences_is_told() -> None:
    def change(events: Events) -> None:
        changed(1, 2, data=77)(events)
        changed(1, 1, address=98)(events)

    divergence = diverging(change)
    assert (divergence.kind, divergence.position) == (Kind.ADDRESS, 10)


def test_what_surrounds_a_divergence() -> None:
    divergence = diverging(changed(6, 0, data=1))
    assert (divergence.text, divergence.opcode, divergence.unit) == ("ST 60 60 1", "ST", Unit.DMA)
    assert divergence.expected == TRACE.instructions[6].writes[0]
    assert divergence.found == replace(TRACE.instructions[6].writes[0], data=1)
    assert (divergence.element, divergence.cycle) == ("dst[0]", write(6, 0).cycle)
    assert divergence.operands[0].words.tolist() == [TRACE.instructions[6].writes[0].data]
    assert [pair.pc for pair in divergence.retires_before] == [1, 2, 3, 4, 5]
    assert [pair.found for pair in divergence.retires_before] == [retire(pc) for pc in range(1, 6)]
    assert divergence.retires_before[0].text == "MM 20 0 4 2 2 2 0 2 2 2"


def test_the_element_of_a_matrix_and_of_an_exponential() -> None:
    assert diverging(changed(1, 3, data=77)).element == "C[1][1]"
    assert diverging(changed(5, 1, data=77)).element == "dst[1] (exponential)"
    assert diverging(changed(5, 2, data=77)).element == "dst[0]"


def test_a_hang_is_dated_by_the_last_event() -> None:
    assert diverging(lambda events: events[:10]).cycle == at(1, 0).cycle
    assert diverging(lambda events: [*events[:0]]).cycle == 0


def test_a_unit_that_is_too_long_is_told_by_its_retire_though_its_writes_are_late() -> None:
    divergence = diverging(lambda events: longer(events, 0, 1))
    assert divergence.position == LAST_LOAD
    assert divergence.expected == retire(0)
    assert divergence.found == moved(with_busy(retire(0), 1), 1)


def test_a_unit_that_leaves_before_its_last_write_has_left_early() -> None:
    def change(events: Events) -> None:
        swapped(1, 3)(events)
        index = position(events, 1, 3)
        early = events[index]
        assert isinstance(early, Retire)
        events[index] = moved(with_busy(early, -1), -1)
        events[index + 1] = replace(events[index + 1], pc=2)

    divergence = diverging(change)
    assert divergence.kind is Kind.TIMING
    assert "1 of its writes come after its retire" in divergence.message
    assert divergence.timing is not None
    assert divergence.timing.difference == -1


def test_the_same_word_written_by_the_next_instruction_is_no_late_write() -> None:
    trace = trace_program(program(Load(0, 0, 1), Load(0, 0, 1), ext=[5], scratchpad=[]))
    divergence = find_divergence(trace, found_events(trace)[1:])
    assert divergence is not None
    assert (divergence.kind, divergence.pc) == (Kind.MISSING, 0)


def test_a_missing_write_tells_that_the_time_is_off_too() -> None:
    def change(events: Events) -> None:
        dropped(1, 3)(events)
        index = position(events, 1, 3)
        early = events[index]
        assert isinstance(early, Retire)
        events[index] = moved(with_busy(early, -1), -1)

    divergence = diverging(change)
    assert divergence.kind is Kind.MISSING
    assert "; it is busy for 22 cycles rather than 23" in divergence.message
    assert divergence.timing is not None


def test_an_extra_write_tells_that_the_time_is_off_too() -> None:
    events = longer(found_events(TRACE), 1, 1)
    events.insert(position(events, 1, 4), moved(write(1, 3), 1))
    events[position(events, 1) : position(events, 1, 4)] = [write(1, offset) for offset in range(4)]
    divergence = find_divergence(TRACE, events)
    assert divergence is not None
    assert divergence.kind is Kind.EXTRA
    assert "; it is busy for 24 cycles rather than 23" in divergence.message
