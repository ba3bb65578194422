"""One event of a random program's run is broken at random: the report names it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from refmodel.isa.encoding import encode_program
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.machine.bundle import Bundle
from refmodel.machine.events import ALL_BITS, CycleSpan, End, Event, Memory, Retire, Write
from refmodel.machine.trace import Trace, trace_program
from verif.divergence.kind import DivergenceKind as Kind
from verif.divergence.report import divergence_json, divergence_text
from verif.divergence.search import find_divergence
from verif.tests.found_events import found_events, moved, with_busy

lengths = st.integers(1, 5)
low, high = st.integers(0, 30), st.integers(40, 70)
strides = st.integers(0, 5)
instructions: SearchStrategy[Instruction] = st.one_of(
    st.builds(Load, low, low, lengths),
    st.builds(Store, low, low, lengths),
    st.builds(
        MatMul, low, low, low, lengths.map(lambda n: min(n, 4)), lengths, st.integers(1, 4), st.booleans(),
        strides, strides, strides,
    ),
    st.builds(Requantize, low, high, lengths, st.integers(0, 2**24 - 1), st.integers(0, 63)),
    st.builds(Softmax, high, low, lengths),
    st.builds(VectorAdd, high, low, low, lengths),
    st.builds(ArgMax, low, low, lengths),
)  # fmt: skip
endings: SearchStrategy[Instruction] = st.sampled_from([Halt(), Illegal(15)])


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Draw the trace of a program, at times with words that nothing defines."""
    code = encode_program([*draw(st.lists(instructions, min_size=1, max_size=5)), draw(endings)])
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    # Small values, so that words are often equal by chance.
    largest = draw(st.sampled_from([1, 3, 256]))
    ext, scratchpad = (rng.integers(0, largest, 100, dtype=np.uint32) for _ in range(2))
    return trace_program(Bundle(code, ext, 200, 8, draw(st.sampled_from([scratchpad, None]))))


Events = list[Event]
Allowed = set[Kind]
Mutation = Callable[[Events, int, int], Allowed]
"""Breaks the event at a position by some amount, 1..31, and returns the kinds that name it."""


def change(events: Events, index: int, **values: Any) -> None:
    events[index] = replace(events[index], **values)


def wrong_data(events: Events, index: int, amount: int) -> Allowed:
    event = events[index]
    assume(isinstance(event, Write))
    change(events, index, data=event.data ^ 1 << amount)  # type: ignore[union-attr]
    return {Kind.DATA}


def unknown_data(events: Events, index: int, amount: int) -> Allowed:
    assume(isinstance(events[index], Write))
    change(events, index, unknown=1 << amount)
    return {Kind.DATA}


def wrong_address(events: Events, index: int, amount: int) -> Allowed:
    event = events[index]
    assume(isinstance(event, Write))
    change(events, index, address=event.address + amount)  # type: ignore[union-attr]
    return {Kind.ADDRESS}


def wrong_pc(events: Events, index: int, amount: int) -> Allowed:
    event = events[index]
    change(events, index, pc=(event.pc + (amount if amount % 2 else -amount)) % 65536)
    if isinstance(event, Write):
        return {Kind.WRITE_OUTSIDE_TURN}
    return {Kind.RETIRE_WITHOUT_ISSUE if isinstance(event, Retire) else Kind.END_PC}


def wrong_opcode(events: Events, index: int, amount: int) -> Allowed:
    event = events[index]
    assume(isinstance(event, Retire))
    change(events, index, opcode=event.opcode ^ (amount % 7 + 1))  # type: ignore[union-attr]
    return {Kind.RETIRE_WITHOUT_ISSUE}


def wrong_busy(events: Events, index: int, amount: int) -> Allowed:
    event = events[index]
    assume(isinstance(event, Retire))
    assert isinstance(event, Retire)
    events[index] = with_busy(event, amount)
    return {Kind.COUNTER}


def wrong_busy_and_cycle(events: Events, index: int, amount: int) -> Allowed:
    wrong_busy(events, index, amount)
    events[index] = moved(events[index], amount)
    return {Kind.TIMING}


def wrong_cycle(events: Events, index: int, amount: int) -> Allowed:
    event = events[index]
    if isinstance(event, Write) and event.memory is Memory.SCRATCHPAD:
        # Far enough to leave the busy cycles, which are all that the law fixes.
        events[index] = replace(event, span=CycleSpan.at(event.cycle + (100 if amount % 2 else -100)))
        return {Kind.WRITE_OUTSIDE_TURN}
    events[index] = moved(event, amount)
    # All that follows keeps its time, so a retire may be late by n_inst alone.
    return {Kind.TIMING, Kind.COUNTER} if isinstance(event, Retire) else {Kind.TIMING}


def wrong_memory(events: Events, index: int, _: int) -> Allowed:
    event = events[index]
    assume(isinstance(event, Write))
    other = Memory.EXT if event.memory is Memory.SCRATCHPAD else Memory.SCRATCHPAD  # type: ignore[union-attr]
    change(events, index, memory=other)
    return {Kind.WRITE_OUTSIDE_TURN}


def wrong_end(events: Events, index: int, _: int) -> Allowed:
    event = events[index]
    assume(isinstance(event, End))
    change(events, index, fault=not event.fault)  # type: ignore[union-attr]
    return {Kind.RUN_INSTEAD_OF_FAULT if event.fault else Kind.FAULT_INSTEAD_OF_RUN}  # type: ignore[union-attr]


def wrong_counters(events: Events, index: int, amount: int) -> Allowed:
    event = events[index]
    assume(isinstance(event, End))
    assert isinstance(event, End)
    name = ("cyc_total", "cyc_mm", "cyc_dma", "cyc_vec", "n_inst")[amount % 5]
    counters = replace(event.counters, **{name: getattr(event.counters, name) + amount})
    change(events, index, counters=counters)
    return {Kind.COUNTER}


def drop(events: Events, index: int, _: int) -> Allowed:
    event = events.pop(index)
    if isinstance(event, End):
        return {Kind.HANG}
    return {Kind.MISSING} if not isinstance(events[index], End) else END_TOO_EARLY


def repeat(events: Events, index: int, _: int) -> Allowed:
    event = events[index]
    events.insert(index, event)
    return {Kind.RETIRE_WITHOUT_ISSUE} if isinstance(event, Retire) else {Kind.EXTRA}


def swap(events: Events, index: int, _: int) -> Allowed:
    assume(index + 1 < len(events))
    events[index : index + 2] = reversed(events[index : index + 2])
    return {Kind.ORDER} if not isinstance(events[index], End) else END_TOO_EARLY


def stop(events: Events, index: int, _: int) -> Allowed:
    del events[index:]
    return {Kind.HANG}


END_TOO_EARLY = {Kind.END_WITH_EVENT_PENDING, Kind.FAULT_INSTEAD_OF_RUN}
MUTATIONS: list[Mutation] = [
    wrong_data, unknown_data, wrong_address, wrong_pc, wrong_opcode, wrong_busy, wrong_busy_and_cycle,
    wrong_cycle, wrong_memory, wrong_end, wrong_counters, drop, repeat, swap, stop,
]  # fmt: skip


def first_difference(expected: Sequence[Event], found: Sequence[Event]) -> int | None:
    """Return the position of the first difference, spelled out anew rather than taken from the search."""
    for index, (must, came) in enumerate(zip_longest(expected, found)):
        if isinstance(must, Write) and isinstance(came, Write):
            if must.unknown:
                must, came = (replace(each, data=0, unknown=0) for each in (must, came))
            if must.span.first <= came.span.first <= must.span.last:
                came = replace(came, span=must.span)
        if must != came:
            return index
    return None


@settings(max_examples=300)
@given(traces(), st.sampled_from(MUTATIONS), st.integers(0, 2**16), st.integers(1, 31))
def test_one_broken_event_is_named(trace: Trace, mutate: Mutation, where: int, amount: int) -> None:
    found = found_events(trace)
    allowed = mutate(found, where % len(found), amount)
    divergence = find_divergence(trace, found)
    expected = list(trace.events)
    position = first_difference(expected, found)
    if position is None:  # two equal words exchanged, or a word that nothing defines
        assert divergence is None
        return
    assert divergence is not None
    assert divergence.position == position
    assert divergence.kind in allowed, divergence.message
    assert divergence.expected == (expected[position] if position < len(expected) else None)
    assert divergence.found == (found[position] if position < len(found) else None)
    assert divergence_text(divergence)
    assert divergence_json(divergence)["pc"] == divergence.pc


@given(traces())
def test_equal_runs_are_equal(trace: Trace) -> None:
    found = found_events(trace)
    assert find_divergence(trace, found) is None
    assert find_divergence(trace, iter(found)) is None


@given(traces())
def test_words_that_nothing_defines_may_be_anything(trace: Trace) -> None:
    found = found_events(trace)
    for index, (must, came) in enumerate(zip(trace.events, found, strict=True)):
        if isinstance(must, Write) and must.unknown == ALL_BITS and isinstance(came, Write):
            found[index] = replace(came, data=came.data ^ ALL_BITS)
    assert find_divergence(trace, found) is None
