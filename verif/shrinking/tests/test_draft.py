"""Programs taken apart and put together again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from refmodel.isa.instructions import Halt, Instruction, Load, MatMul, Requantize, Softmax, Store
from refmodel.isa.regions import matrix_a, matrix_b
from refmodel.machine.machine import Machine
from refmodel.machine.tests.strategies import executing_instructions
from refmodel.machine.trace import trace_program
from sequences.directed.directed_program import DirectedProgram, bundle_of, full_scratchpad, random_words
from sequences.stimulus import Stimulus
from verif.series.program_series import state_after
from verif.shrinking.draft import Draft

programs = st.lists(executing_instructions, min_size=1, max_size=6)


def program_of(instructions: list[Instruction], seed: int = 1) -> DirectedProgram:
    generator = np.random.default_rng(seed)
    bundle = bundle_of(
        instructions,
        ext=random_words(generator, 500),
        scratchpad=full_scratchpad(generator),
        ext_words=65536,
    )
    return DirectedProgram("drawn", bundle)


@settings(max_examples=30)
@given(programs)
def test_a_program_put_together_again_does_the_same(instructions: list[Instruction]) -> None:
    program = program_of(instructions)
    again = Draft.of([program], 0).assembled()
    assert again.bundle.code == program.bundle.code
    one, other = Machine().run(program.bundle), Machine().run(again.bundle)
    assert (one.ext == other.ext).all()
    assert (one.scratchpad == other.scratchpad).all()


@settings(max_examples=30)
@given(programs, st.integers(0, 5))
def test_an_instruction_alone_reads_what_it_read(instructions: list[Instruction], number: int) -> None:
    program = program_of(instructions)
    number %= len(instructions)
    draft = Draft.of([program], 0)
    alone = draft.with_steps([draft.steps[number]]).assembled()
    (found,) = trace_program(alone.bundle).instructions
    expected = trace_program(program.bundle).instructions[number]
    for must, came in zip(expected.reads, found.reads, strict=True):
        assert (must.words == came.words).all()
    assert [write.data for write in expected.writes] == [write.data for write in found.writes]


@settings(max_examples=30)
@given(programs, st.data())
def test_elements_keep_their_values(instructions: list[Instruction], data: st.DataObject) -> None:
    program = program_of(instructions[-1:])
    draft = Draft.of([program], 0)
    step = draft.steps[0]
    axis = data.draw(st.sampled_from(step.axes))
    size = getattr(step.instruction, axis)
    kept = sorted(data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=5)))
    smaller = step.with_elements(axis, kept)
    assert getattr(smaller.instruction, axis) == len(kept)
    if not isinstance(step.instruction, MatMul):
        for name, values in smaller.reads.items():
            assert (values.words == step.reads[name].words[kept]).all()
        return
    a, b = smaller.reads["A"].words, smaller.reads["B"].words
    assert isinstance(smaller.instruction, MatMul)
    assert a.shape == matrix_a(smaller.instruction).shape
    assert b.shape == matrix_b(smaller.instruction).shape
    rows, depth, columns = (kept if axis == name else slice(None) for name in "mkn")
    assert (a == step.reads["A"].words[rows][:, depth]).all()
    assert (b == step.reads["B"].words[depth][:, columns]).all()


def test_what_an_earlier_program_left_need_not_be_brought_along() -> None:
    first = DirectedProgram("first", bundle_of([Load(0, 0, 4)], ext=np.arange(4, dtype=np.uint32)))
    second = DirectedProgram("second", bundle_of([Softmax(4, 0, 4), Store(4, 0, 4), Store(0, 9, 2)]))
    draft = Draft.of([first, second], 1)
    assert draft.with_steps([draft.steps[0], draft.steps[2]]).assembled().bundle.scratchpad is None
    without = draft.with_steps(draft.steps[1:]).assembled().bundle
    assert without.scratchpad is not None
    result = state_after([first, second])
    assert result is not None
    assert (without.scratchpad[4:8] == result.scratchpad[4:8]).all()


def test_reserved_bits_and_the_end_stay() -> None:
    program = program_of([Requantize(0, 9, 2, 3, 4)])
    reserved = 1 << 5
    code = (program.bundle.code[0] | reserved, 9 << 124, 77)
    program = replace(program, bundle=replace(program.bundle, code=code))
    draft = Draft.of([program], 0)
    assert draft.assembled().bundle.code == code
    changed = draft.with_step(0, draft.steps[0].with_fields(shift=5)).assembled().bundle.code
    assert changed[0] & reserved
    assert changed[1:] == code[1:]


def test_a_reset_moves_with_the_instruction_that_it_meets() -> None:
    instructions: list[Instruction] = [Load(0, 0, 10), Load(20, 0, 7), Softmax(40, 0, 4), Halt()]
    program = program_of(instructions)
    # LD: FETCH and ISSUE, then 10 + 8 + 1 busy cycles; then 7 + 8 + 1 busy cycles.
    for cycle, moved in ((1, 1), (21, 1), (22, 1), (30, 9), (38, 17), (39, 18), (39 + 59, 39 - 21 + 59)):
        reset = replace(program, stimulus=Stimulus(reset_cycle=cycle))
        draft = Draft.of([reset], 0)
        assert draft.with_steps(draft.steps[1:]).assembled().stimulus.reset_cycle == moved
    restarted = replace(program, stimulus=Stimulus(extra_start=(20, 500)))
    draft = Draft.of([restarted], 0)
    total = 21 + 18 + 61 + 2
    expected = (1, 500 - 21)
    assert draft.with_steps(draft.steps[1:]).assembled().stimulus.extra_start == expected
    assert total < 500
