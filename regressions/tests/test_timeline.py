from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from refmodel.isa.instructions import Load, Store, VectorAdd
from refmodel.isa.timing import unit_of
from refmodel.machine.bundle import Bundle
from refmodel.machine.events import CycleSpan
from refmodel.machine.trace import trace_program
from refmodel.source_map.instruction_source import InstructionSource, whole
from refmodel.source_map.source_map import SourceMap
from refmodel.source_map.tensor import Tensor
from regressions.tests.timelines import EVERY_UNIT, EVERY_UNIT_CYCLES, bundle_of, product
from regressions.timeline.accounts import (
    SubjectAccount,
    lane_accounts,
    subject_accounts,
    with_rest_summed,
)
from regressions.timeline.lane import Lane
from regressions.timeline.stretches import labelled_stretches
from regressions.timeline.subject import FAULT, HALT, Subject, SubjectKind
from regressions.timeline.timeline import Timeline, timeline_of
from sequences.golden import golden_names, load_golden


def named(bundle: Bundle) -> dict[str, SubjectAccount]:
    return {account.subject.name: account for account in subject_accounts(timeline_of(bundle, "a program"))}


def test_every_unit_spends_what_the_cycle_law_says() -> None:
    accounts = [each for each in lane_accounts(timeline_of(EVERY_UNIT, "every unit")) if each.cycles]
    assert {account.lane: account.cycles for account in accounts} == EVERY_UNIT_CYCLES
    assert [account.instructions for account in accounts] == [0, 1, 1, 1, 1, 1, 1, 1]


def test_a_unit_counts_where_its_instruction_does() -> None:
    for work, traced in zip(
        timeline_of(EVERY_UNIT, "").works, trace_program(EVERY_UNIT).instructions, strict=True
    ):
        assert work.lane.opcode is traced.instruction.opcode
        assert work.lane.counter is unit_of(traced.instruction)


def test_the_first_instructions_lie_where_the_cycle_law_puts_them() -> None:
    load, matmul, requantize, *_ = timeline_of(EVERY_UNIT, "every unit").works
    assert (load.front, load.busy) == (CycleSpan(1, 2), CycleSpan(3, 21))
    assert (matmul.front, matmul.busy) == (CycleSpan(22, 23), CycleSpan(24, 46))
    assert (requantize.front, requantize.busy) == (CycleSpan(47, 48), CycleSpan(49, 54))


@pytest.mark.parametrize("name", golden_names())
def test_the_sums_are_the_counters_of_an_independent_implementation(name: str) -> None:
    bundle = load_golden(name)
    assert bundle.expect is not None
    counters = bundle.expect.counters
    timeline = timeline_of(bundle, name)
    assert_sums_are_counters(timeline)
    assert timeline.end.counters == counters
    assert timeline.end.fault == bundle.expect.fault == bool(timeline.fault)


def test_the_sums_of_a_compiled_program_are_its_counters() -> None:
    assert_sums_are_counters(timeline_of(product(), "y"))


def assert_sums_are_counters(timeline: Timeline) -> None:
    counters = timeline.end.counters
    lanes, subjects = lane_accounts(timeline), subject_accounts(timeline)
    sums = {
        counter: sum(account.cycles for account in lanes if account.lane.counter is counter)
        for counter in {lane.counter for lane in Lane}
    }
    by_name = {counter.value: cycles for counter, cycles in sums.items() if counter is not None}
    assert by_name == {
        "cyc_mm": counters.cyc_mm,
        "cyc_dma": counters.cyc_dma,
        "cyc_vec": counters.cyc_vec,
    }
    assert sum(sums.values()) == timeline.cycles == counters.cyc_total
    assert sum(account.instructions for account in lanes) == counters.n_inst
    assert sum(account.cycles for account in subjects) == counters.cyc_total
    assert sum(account.instructions for account in subjects) == counters.n_inst
    for lane in lanes:
        assert sum(account.by_lane.get(lane.lane, 0) for account in subjects) == lane.cycles
    worked = sorted(
        cycle for lane in Lane for span in timeline.spans(lane) for cycle in range(span.first, span.last + 1)
    )
    assert worked == list(range(1, timeline.cycles + 1)), "each cycle has exactly one lane"


@pytest.mark.parametrize("name", golden_names())
def test_instructions_are_busy_when_the_trace_says(name: str) -> None:
    bundle = load_golden(name)
    if bundle.scratchpad is None:
        bundle = replace(bundle, scratchpad=np.zeros(0, np.uint32))
    trace, timeline = trace_program(bundle), timeline_of(bundle, name)
    assert [work.busy for work in timeline.works] == [traced.busy for traced in trace.instructions]
    assert [work.front.first for work in timeline.works] == [each.fetch_cycle for each in trace.instructions]
    assert timeline.end == trace.end


def test_cycles_go_to_the_tensors_of_the_graph() -> None:
    accounts = subject_accounts(timeline_of(product(), "y"))
    assert [(account.subject.name, account.cycles, account.instructions) for account in accounts] == [
        ("y", 78, 4),
        ("w", 29, 1),
        ("x", 14, 1),
        ("HALT", 2, 0),
    ]
    assert accounts[0].by_lane == {Lane.FRONT: 8, Lane.MATRIX: 54, Lane.REQUANTIZER: 8, Lane.STORE: 8}
    assert accounts[3].subject == HALT


def test_without_a_source_map_cycles_go_to_operations() -> None:
    accounts = named(bundle_of(Load(0, 0, 10), Load(0, 0, 1), Store(0, 0, 4)))
    assert {name: account.cycles for name, account in accounts.items()} == {"LD": 33, "ST": 8, "HALT": 2}
    assert accounts["LD"].subject.kind is SubjectKind.OPERATION
    assert accounts["LD"].by_lane == {Lane.FRONT: 4, Lane.LOAD: 29}


def test_rows_of_a_tensor_and_rescaled_operands_count_with_the_tensor() -> None:
    def row(number: int) -> Tensor:
        return Tensor("s", (1, 4), 1.0, first_row=number)

    sources: tuple[InstructionSource | None, ...] = (
        whole("load", "s[row 0]", row(0)),
        whole("load", "s[row 1]", row(1)),
        whole("add", "s[row 1]", Tensor("x_for_s", (1, 4), 1.0, first_row=1)),
        None,
        None,
    )
    bundle = bundle_of(
        Load(0, 0, 4),  # 13 and 2
        Load(4, 4, 4),  # 13 and 2
        VectorAdd(8, 0, 4, 4),  # 10 and 2
        Store(8, 8, 4),  # 6 and 2, for nothing that the map knows
        source_map=SourceMap(sources, (), ()),
    )
    assert {name: account.cycles for name, account in named(bundle).items()} == {"s": 42, "ST": 8, "HALT": 2}


def test_a_faulting_word_has_its_two_cycles() -> None:
    timeline = timeline_of(load_golden("fault-first"), "a fault")
    assert (timeline.cycles, timeline.works, timeline.end_subject) == (2, (), FAULT)
    assert "opcode 9" in timeline.fault
    assert [account.cycles for account in subject_accounts(timeline)] == [2]


def test_a_program_of_no_words_is_a_halt() -> None:
    timeline = timeline_of(Bundle((), np.zeros(0, np.uint32)), "nothing")
    assert (timeline.cycles, timeline.end_subject) == (2, HALT)
    assert_sums_are_counters(timeline)


def accounts_of(count: int) -> list[SubjectAccount]:
    return [
        SubjectAccount(Subject(SubjectKind.TENSOR, f"t{number}"), 1, {Lane.FRONT: 2, Lane.LOAD: number})
        for number in reversed(range(count))
    ]


def test_what_is_beyond_the_kept_accounts_is_summed() -> None:
    accounts = accounts_of(7)  # 6 cycles and 2, …, 0 and 2
    kept = with_rest_summed(accounts, 3)
    assert kept[:3] == tuple(accounts[:3])
    assert (kept[3].subject, kept[3].instructions, kept[3].cycles) == (
        Subject(SubjectKind.REST, "4 others"),
        4,
        3 + 2 + 1 + 0 + 8,
    )


def test_one_account_alone_is_not_summed() -> None:
    accounts = accounts_of(4)
    assert with_rest_summed(accounts, 3) == tuple(accounts)


def test_signs_that_a_terminal_obeys_are_replaced() -> None:
    assert timeline_of(bundle_of(), "red \x1b[31m\n and \ud800").title == r"red \x1b[31m and \ud800"


def test_stretches_are_labelled_where_the_name_fits() -> None:
    timeline = timeline_of(product(), "y")  # 123 cycles
    # y: MM twice, cycles 46..77 and 80..101, 56 in all; w: LD, cycles 17..43, 27
    labels = {stretch.label: stretch.span for stretch in labelled_stretches(timeline, 5)}
    assert labels == {"y": CycleSpan(46, 101)}
    labels = {stretch.label: stretch.span for stretch in labelled_stretches(timeline, 10)}
    assert labels == {"w": CycleSpan(17, 43), "y": CycleSpan(46, 101)}
