"""Shrinking against chips that fail by rule: how far it goes, and what holds of every step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refmodel.isa.encoding import decode
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.isa.syntax import format_instruction
from refmodel.isa.timing import Unit, busy_cycles, unit_of
from refmodel.machine.tests.strategies import executing_instructions
from refmodel.machine.traced_instruction import TracedInstruction
from sequences.directed.directed_program import DirectedProgram, bundle_of, tour
from sequences.stimulus import PLAIN, ResponseDelays, Stimulus
from verif.divergence.kind import DivergenceKind
from verif.series.program_identity import series_digest
from verif.shrinking.budget import Budget
from verif.shrinking.search import answered
from verif.shrinking.shrinker import Shrunk, shrink
from verif.shrinking.size import Series
from verif.shrinking.symptom import Symptom
from verif.shrinking.tests.oracles import Oracle, Watched, fails_at, fails_on, instructions_of
from verif.shrinking.tests.test_draft import program_of

PLENTY = Budget(trials=5_000, cycles=50_000_000)


def shrunk(series: Sequence[DirectedProgram], oracle: Oracle, budget: Budget = PLENTY) -> Shrunk:
    watched = Watched(oracle, tuple(series))
    return answered(shrink(series, watched.symptom, budget), watched)


def texts(series: Series) -> list[list[str]]:
    return [[format_instruction(decode(word)) for word in program.bundle.code] for program in series]


def the_tour() -> DirectedProgram:
    return DirectedProgram("tour", tour(np.random.default_rng(1)))


CASES: dict[str, tuple[Oracle, list[str]]] = {
    "shift": (
        fails_at(lambda each: isinstance(each, Requantize) and each.shift > 30),
        ["RQ 0 0 1 0 31 0", "HALT"],
    ),
    "multiplier": (
        fails_at(lambda each: isinstance(each, Requantize) and bool(each.multiplier & 0x40)),
        ["RQ 0 0 1 64 0 0", "HALT"],
    ),
    "depth": (
        fails_at(lambda each: isinstance(each, MatMul) and each.k > 3),
        ["MM 8 0 4 1 4 1 0 0 1 0", "HALT"],
    ),
    "address": (
        fails_at(lambda each: isinstance(each, VectorAdd) and each.dst > 99),
        ["VADD 100 0 0 1", "HALT"],
    ),
    "any": (fails_at(lambda each: isinstance(each, Softmax)), ["SM 1 0 1", "HALT"]),
    "length": (
        fails_at(lambda each: isinstance(each, Store) and each.length > 6),
        ["ST 0 0 7", "HALT"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_operand_is_left_alone(case: str) -> None:
    oracle, expected = CASES[case]
    found = shrunk([the_tour()], oracle)
    assert found.complete
    assert texts(found.series) == [expected]
    assert not found.series[0].bundle.ext.any()
    scratchpad = found.series[0].bundle.scratchpad
    assert scratchpad is not None
    assert not scratchpad.any()


def test_data_become_small() -> None:
    def is_wrong(each: TracedInstruction) -> bool:
        return isinstance(each.instruction, ArgMax) and bool((each.reads[0].words > 5).any())

    image = np.arange(20, dtype=np.uint32)
    bundle = bundle_of([Load(9, 5, 10), ArgMax(0, 9, 10), Store(0, 0, 1)], ext=image)
    found = shrunk([DirectedProgram("maximum", bundle)], fails_on(is_wrong))
    (instruction,) = instructions_of(found.series[0])
    assert isinstance(instruction, ArgMax)
    assert instruction.length == 1
    assert {instruction.dst, instruction.src} == {0, 1}
    scratchpad = found.series[0].bundle.scratchpad
    assert scratchpad is not None
    assert scratchpad[scratchpad != 0].tolist() == [6]


def test_hidden_state_keeps_the_instruction_that_leaves_it() -> None:
    program = program_of([*instructions_of(the_tour()), Softmax(9, 40, 3), Softmax(90, 40, 3)])
    found = shrunk([program], fails_at(lambda each: isinstance(each, Softmax), needed=2))
    instructions = instructions_of(found.series[0])
    assert [type(each) for each in instructions] == [Softmax, Softmax]
    assert all(each.length == 1 and max(each.dst, each.src) <= 3 for each in instructions)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("instructions", "limit", "left"),
    [
        ([Requantize(0, 0, 9, 1, 1), Load(9, 0, 5)] * 52, 500, "RQ 0 0 498 0 0 0"),
        ([VectorAdd(0, 9, 18, 3), ArgMax(40, 0, 3)] * 52, 700, "VADD 0 0 0 349"),
        ([Load(0, 7, 3), Store(0, 9, 3)] * 52, 600, "LD 0 0 591"),
    ],
)
def test_one_long_instruction_takes_the_place_of_many(
    instructions: list[Instruction], limit: int, left: str
) -> None:
    """The counter of a unit is wrong from `limit` cycles on; the fewest instructions get it there."""

    def oracle(series: Series) -> Symptom | None:
        counted = 0
        for pc, each in enumerate(instructions_of(series[-1])):
            if unit_of(each) is unit_of(instructions[0]):
                counted += busy_cycles(each, series[-1].bundle.read_latency)
            if counted >= limit:
                return Symptom(DivergenceKind.COUNTER, unit_of(instructions[0]), pc)
        return None

    found = shrunk([program_of(instructions)], oracle, Budget(trials=200, cycles=250_000))
    assert texts(found.series) == [[left, "HALT"]]


def test_tiles_get_larger_too() -> None:
    def oracle(series: Series) -> Symptom | None:
        counted = 0
        for pc, each in enumerate(instructions_of(series[-1])):
            counted += busy_cycles(each, 8) if isinstance(each, MatMul) else 0
            if counted >= 1024:
                return Symptom(DivergenceKind.COUNTER, Unit.MATRIX, pc)
        return None

    tile = MatMul(900, 0, 500, 2, 5, 2, False, 5, 2, 2)
    found = shrunk([program_of([tile] * 104)], oracle, Budget(trials=200, cycles=250_000))
    assert len(instructions_of(found.series[0])) == 2


def test_only_the_programs_that_are_needed_stay() -> None:
    faulting = DirectedProgram("fault", bundle_of([Load(0, 0, 9), Load(0, 0, 0)]))

    def oracle(series: Series) -> Symptom | None:
        needed = any(isinstance(each, Load) for program in series[:-1] for each in instructions_of(program))
        return fails_at(lambda each: isinstance(each, Requantize))(series) if needed else None

    found = shrunk([the_tour(), faulting, the_tour(), the_tour()], oracle)
    assert texts(found.series) == [["LD 0 0 1", "HALT"], ["RQ 0 0 1 0 0 0", "HALT"]]


def test_a_fault_at_the_end_is_kept_as_it_is_needed() -> None:
    def oracle(series: Series) -> Symptom | None:
        instructions = instructions_of(series[-1])
        word = (*series[-1].bundle.code, 0)[len(instructions)]
        end = decode(word)
        if isinstance(end, Requantize) and end.length == 4096:
            return Symptom(DivergenceKind.RUN_INSTEAD_OF_FAULT, None, len(instructions))
        return None

    program = program_of([*instructions_of(the_tour()), Requantize(3, 4, 4096, 99, 5), Softmax(0, 0, 3)])
    assert texts(shrunk([program], oracle).series) == [["RQ 0 0 4096 0 0 0"]]


def test_stimulus_that_is_not_needed_goes() -> None:
    program = replace(the_tour(), stimulus=Stimulus(reset_first=True, extra_start=(3, 700), cycle_limit=9999))
    found = shrunk([program], fails_at(lambda each: isinstance(each, Softmax)))
    assert found.series[0].stimulus == PLAIN


def test_stimulus_that_is_needed_stays() -> None:
    def oracle(series: Series) -> Symptom | None:
        if series[-1].stimulus.reset_cycle is None:
            return None
        return fails_at(lambda each: isinstance(each, Softmax))(series)

    program = replace(the_tour(), stimulus=Stimulus(reset_first=True, reset_cycle=400))
    found = shrunk([program], oracle)
    assert found.series[0].stimulus == Stimulus(reset_cycle=1)
    assert texts(found.series) == [["SM 1 0 1", "HALT"]]


def test_delays_that_are_needed_become_simple() -> None:
    def oracle(series: Series) -> Symptom | None:
        delays = series[-1].stimulus.response_delays
        if delays is None or delays.longest < 12:
            return None
        return fails_at(lambda each: isinstance(each, Load))(series)

    delays = ResponseDelays(seed=77, longest=90, shortest=40)
    found = shrunk([replace(the_tour(), stimulus=Stimulus(response_delays=delays))], oracle)
    assert found.series[0].stimulus == Stimulus(response_delays=ResponseDelays(0, 12, 1))
    assert texts(found.series) == [["LD 0 0 1", "HALT"]]


def test_what_is_not_legal_is_refused() -> None:
    """Nothing has been written where AMAX reads, so all that is legal brings words along."""
    program = DirectedProgram("undefined", bundle_of([Load(0, 0, 3), ArgMax(9, 50, 4)]))

    def oracle(series: Series) -> Symptom | None:
        if series[-1].bundle.scratchpad is not None:
            return None
        return fails_at(lambda each: isinstance(each, ArgMax))(series)

    found = shrunk([program], oracle)
    assert len(found.steps) == 1
    assert found.trials > 0


def test_the_budget_is_kept() -> None:
    oracle = fails_at(lambda each: isinstance(each, Requantize) and each.multiplier > 12345)
    whole = shrunk([the_tour()], oracle)
    assert whole.complete
    for trials in (0, 1, 2, 7, whole.trials // 2, whole.trials - 1, whole.trials):
        part = shrunk([the_tour()], oracle, Budget(trials, PLENTY.cycles))
        assert part.trials == trials
        assert part.complete == (trials == whole.trials)
        assert oracle(part.series) is not None
    some = shrunk([the_tour()], oracle, Budget(PLENTY.trials, 300))
    assert some.cycles <= 300
    assert not some.complete


def test_another_kind_or_unit_is_another_failure() -> None:
    base = fails_at(lambda each: isinstance(each, Requantize | MatMul))

    def oracle(series: Series) -> Symptom | None:
        found = base(series)
        if found is not None and len(instructions_of(series[-1])) < 2:
            return replace(found, kind=DivergenceKind.HANG)
        return found

    found = shrunk([the_tour()], oracle)
    assert len(instructions_of(found.series[0])) == 2
    assert any(isinstance(each, MatMul) for each in instructions_of(found.series[0]))


CONDITIONS: tuple[Oracle, ...] = (
    fails_at(lambda each: isinstance(each, MatMul | Requantize)),
    fails_at(lambda each: not isinstance(each, Halt), needed=2),
    fails_at(lambda each: isinstance(each, Load) and each.src % 7 == 3),
    fails_at(lambda each: getattr(each, "length", 0) > 17),
    fails_at(lambda each: getattr(each, "dst", 0) + getattr(each, "src", 0) > 4095),
    fails_on(lambda each: bool(each.written.words.astype(np.int64).sum() % 3 == 1)),
    fails_on(lambda each: any(int(operand.words.ravel()[-1]) & 4 for operand in each.reads)),
)


@given(st.lists(executing_instructions, min_size=1, max_size=8), st.sampled_from(CONDITIONS), st.data())
def test_every_step_is_legal_and_smaller_and_the_end_is_an_end(
    instructions: list[Instruction], oracle: Oracle, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(instructions)))
    second = program_of(instructions[cut:], seed=2)
    series = (program_of(instructions[:cut]), replace(second, bundle=replace(second.bundle, scratchpad=None)))
    assume(oracle(series) is not None)
    first = shrunk(series, oracle)
    assert first.complete
    again = shrunk(series, oracle)
    assert [series_digest(step) for step in first.steps] == [series_digest(step) for step in again.steps]
    assert first.trials == again.trials
    assert len(shrunk(first.series, oracle).steps) == 1
