"""Runs whose every event is right, and which are wrong all the same; and runs that rst cuts short."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from refmodel.isa.instructions import Store
from refmodel.isa.regions import footprint
from refmodel.machine.accesses import scratchpad_reads
from refmodel.machine.events import ALL_BITS, Memory, Retire, Write
from refmodel.machine.result import RunResult
from refmodel.machine.tests.helpers import program
from refmodel.machine.trace import trace_program
from verif.divergence.divergence import Divergence
from verif.divergence.kind import DivergenceKind as Kind
from verif.divergence.reads import ScratchpadReads
from verif.divergence.search import find_divergence, find_silent_divergence
from verif.tests.divergence_cases import TRACE
from verif.tests.found_events import found_events

EVENTS = found_events(TRACE)


def silent(result: RunResult | None = None, **broken: tuple[int, int]) -> Divergence | None:
    return find_silent_divergence(TRACE, EVENTS, result, broken)


def result_with(memory: str, *addresses: int, **values: Any) -> RunResult:
    """Return the right result with a bit of some words flipped."""
    result = TRACE.result()
    words = getattr(result, memory).copy()
    words[list(addresses)] ^= 1
    return replace(result, **{memory: words, **values})


def test_nothing_is_wrong() -> None:
    assert silent(TRACE.result()) is None
    assert silent() is None


def test_the_wrong_word_that_was_written_first_is_named() -> None:
    divergence = silent(result_with("scratchpad", 60, 21, 30), CHECK=(1, 2))
    assert divergence is not None
    assert (divergence.kind, divergence.pc, divergence.opcode) == (Kind.STATE, 1, "MM")
    assert isinstance(divergence.expected, Write)
    assert divergence.expected.address == 21
    assert "scratchpad word 21, last written by pc 1" in divergence.message


def test_a_wrong_word_of_external_memory() -> None:
    divergence = silent(result_with("ext", 51))
    assert divergence is not None
    assert (divergence.kind, divergence.pc, divergence.opcode) == (Kind.STATE, 3, "ST")


def test_a_word_that_nobody_writes() -> None:
    divergence = silent(result_with("ext", 99))
    assert divergence is not None
    assert divergence.kind is Kind.STATE
    assert "no instruction writes external word 99" in divergence.message


def test_a_word_that_nobody_writes_has_a_value_before() -> None:
    """External memory is named first, wherever the wrong words are."""
    divergence = silent(result_with("scratchpad", 98))
    assert divergence is not None
    assert isinstance(divergence.expected, Write)
    assert (divergence.expected.memory, divergence.expected.data) == (Memory.SCRATCHPAD, 9)
    divergence = silent(result_with("scratchpad", 98, ext=result_with("ext", 99).ext))
    assert divergence is not None
    assert "external word 99" in divergence.message


def test_what_was_written_first_counts_not_where() -> None:
    divergence = silent(result_with("scratchpad", 40, ext=result_with("ext", 50).ext))
    assert divergence is not None
    assert divergence.opcode == "ST"


def test_undefined_words_may_hold_anything() -> None:
    trace = trace_program(program(Store(5, 10, 1)))
    result = trace.result()
    result.scratchpad[5] ^= 1
    result.ext[10] ^= 1
    assert find_silent_divergence(trace, found_events(trace), result, {}) is None


def test_scratchpad_writes_may_be_out_of_sight() -> None:
    visible = [
        event for event in EVENTS if not (isinstance(event, Write) and event.memory is Memory.SCRATCHPAD)
    ]
    assert find_divergence(TRACE, visible, sees_scratchpad=False) is None
    assert find_divergence(TRACE, visible) is not None


def test_an_unknown_word_is_wrong() -> None:
    known = np.ones(4096, np.bool_)
    known[40] = False
    divergence = silent(replace(TRACE.result(), defined=known))
    assert divergence is not None
    assert divergence.opcode == "AMAX"
    assert isinstance(divergence.found, Write)
    assert divergence.found.unknown == ALL_BITS


def test_a_broken_rule_names_what_was_running() -> None:
    running = TRACE.instructions[2]
    divergence = silent(TRACE.result(), A_LATER_ONE=(1, 90), IDLE=(3, running.busy.first))
    assert divergence is not None
    assert (divergence.kind, divergence.pc, divergence.opcode) == (Kind.RULE, 2, "RQ")
    assert divergence.cycle == running.busy.first
    assert "check IDLE failed 3 times" in divergence.message


def test_a_rule_broken_in_the_last_busy_cycle() -> None:
    divergence = silent(IDLE=(1, TRACE.instructions[2].busy.last))
    assert divergence is not None
    assert divergence.pc == 2
    assert "check IDLE failed once, first in" in divergence.message


def test_a_rule_broken_after_the_end() -> None:
    divergence = silent(IDLE=(1, TRACE.end.cycle + 2))
    assert divergence is not None
    assert (divergence.pc, divergence.opcode, divergence.unit) == (TRACE.end.pc, "HALT", None)


def test_a_wrong_number_of_reads_names_its_instruction() -> None:
    right = tuple(
        scratchpad_reads(each.instruction, footprint(each.instruction)) for each in TRACE.instructions
    )
    assert find_silent_divergence(TRACE, EVENTS, None, {}, ScratchpadReads(right)) is None
    wrong = ScratchpadReads((*right[:2], right[2] + 1, *right[3:]), outside=2)
    divergence = find_silent_divergence(TRACE, EVENTS, None, {}, wrong)
    assert divergence is not None
    assert (divergence.kind, divergence.pc, divergence.opcode) == (Kind.READS, 2, "RQ")
    assert f"reads the scratchpad {right[2] + 1} times rather than {right[2]}" in divergence.message


def test_a_read_outside_any_instruction() -> None:
    divergence = find_silent_divergence(TRACE, EVENTS, None, {}, ScratchpadReads((), outside=1))
    assert divergence is not None
    assert (divergence.kind, divergence.opcode) == (Kind.READS, "HALT")
    assert "in 1 cycle outside" in divergence.message


@pytest.mark.parametrize("reset_cycle", range(1, TRACE.end.cycle + 1))
def test_a_reset_cuts_a_right_run(reset_cycle: int) -> None:
    seen = [event for event in EVENTS if event.cycle < reset_cycle]
    seen += [event for event in EVENTS if event.cycle == reset_cycle and isinstance(event, Write)]
    assert find_divergence(TRACE, seen, reset_cycle=reset_cycle) is None


def test_a_word_sent_in_the_cycle_of_the_reset_must_arrive() -> None:
    sent = next(event for event in EVENTS if isinstance(event, Write) and event.memory is Memory.EXT)
    seen = EVENTS[: EVENTS.index(sent)]
    assert find_divergence(TRACE, seen, reset_cycle=sent.cycle - 1) is None
    divergence = find_divergence(TRACE, seen, reset_cycle=sent.cycle)
    assert divergence is not None
    assert divergence.expected == sent


@pytest.mark.parametrize(
    ("event", "kind"), [(Retire, Kind.RETIRE_WITHOUT_ISSUE), (Write, Kind.WRITE_OUTSIDE_TURN)]
)
def test_nothing_may_happen_after_a_reset(event: type, kind: Kind) -> None:
    late = next(each for each in EVENTS if isinstance(each, event))
    before = [each for each in EVENTS if each.cycle < late.cycle]
    divergence = find_divergence(TRACE, [*before, late], reset_cycle=late.cycle - 1)
    assert divergence is not None
    assert divergence.kind is kind
    assert f"of pc {late.pc} after rst" in divergence.message


def test_an_early_loss_is_no_cut() -> None:
    assert find_divergence(TRACE, EVENTS[:2], reset_cycle=TRACE.end.cycle) is not None
