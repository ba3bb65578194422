"""What is defined: carry-over between programs, strict mode, and what follows from an undefined word."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.isa.instructions import (
    ArgMax,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.machine.machine import Machine, UninitializedRead
from refmodel.machine.tests.helpers import program


def undefined_after(*instructions: Instruction, undefined: set[int]) -> set[int]:
    """Run a program on a machine all of whose words below 200 are defined but some; return which are not."""
    machine = machine_with_holes(undefined)
    result = machine.run(program(*instructions))
    return set(np.flatnonzero(~result.defined[:200]).tolist())


def machine_with_holes(undefined: set[int], *, strict: bool = False) -> Machine:
    machine = Machine(strict=strict)
    written = [Load(address, address % 100, 1) for address in range(200) if address not in undefined]
    machine.run(program(*written, ext=list(range(100))))
    return machine


def test_scratchpad_carries_over_between_programs() -> None:
    machine = Machine()
    machine.run(program(Load(10, 0, 2), ext=[5, 6]))
    result = machine.run(program(Store(10, 7, 2)))
    assert result.ext[7:9].tolist() == [5, 6]
    assert np.flatnonzero(result.defined).tolist() == [10, 11]


def test_a_scratchpad_image_defines_every_word() -> None:
    machine = Machine()
    machine.run(program(Load(10, 0, 2), ext=[5, 6]))
    result = machine.run(program(scratchpad=[1]))
    assert result.defined.all()
    assert result.scratchpad.tolist() == [1] + [0] * 4095


def test_reset_scratchpad_forgets() -> None:
    machine = Machine(strict=True)
    machine.run(program(Load(10, 0, 2), ext=[5, 6]))
    machine.reset_scratchpad()
    with pytest.raises(UninitializedRead):
        machine.run(program(Store(10, 7, 2)))


def test_fresh_machines_share_nothing() -> None:
    Machine().run(program(Load(0, 0, 4), ext=[1, 2, 3, 4]))
    assert not Machine().run(program()).defined.any()


@pytest.mark.parametrize(
    ("instruction", "undefined_result"),
    [
        (Requantize(120, 10, 4, 1, 1), {122}),
        (VectorAdd(120, 10, 20, 4), {122}),
        (VectorAdd(120, 20, 10, 4), {122}),
        (Softmax(120, 10, 4), {120, 121, 122, 123}),
        (ArgMax(120, 10, 4), {120}),
        # Word 12 is A[1][0]: row 1 of C; it is B[1][0]: column 0 of C; both.
        (MatMul(120, 10, 20, 2, 2, 3, False, 2, 3, 3), {123, 124, 125}),
        (MatMul(120, 20, 10, 2, 2, 2, False, 2, 2, 2), {120, 122}),
        (MatMul(120, 10, 10, 2, 2, 2, False, 2, 2, 2), {120, 122, 123}),
        # Transposed, word 12 is B[0][1]: column 1.
        (MatMul(120, 20, 10, 2, 2, 2, True, 2, 2, 2), {121, 123}),
        # Rows that collide: row 1 is undefined and stays where row 0 was written before.
        (MatMul(120, 10, 20, 2, 2, 3, False, 2, 3, 1), {121, 122, 123}),
        (MatMul(120, 12, 20, 2, 1, 3, False, 1, 3, 1), {120}),
        (Load(120, 0, 4), set()),
    ],
)
def test_what_depends_on_an_undefined_word_is_undefined(
    instruction: Instruction, undefined_result: set[int]
) -> None:
    assert undefined_after(instruction, undefined={12}) == {12} | undefined_result


def test_a_word_that_is_written_again_is_defined() -> None:
    assert undefined_after(Requantize(120, 12, 1, 1, 1), Load(12, 0, 1), undefined={12}) == {120}
    assert undefined_after(Requantize(120, 12, 1, 1, 1), Load(120, 0, 1), undefined={12}) == {12}
    assert undefined_after(ArgMax(12, 12, 3), undefined={12}) == {12}
    assert undefined_after(ArgMax(12, 13, 3), undefined={12}) == set()


def test_undefined_words_pass_through_external_memory() -> None:
    machine = machine_with_holes({12})
    result = machine.run(program(Store(11, 50, 3), Load(120, 50, 3), Store(20, 52, 1)))
    assert result.ext_defined is not None
    assert np.flatnonzero(~result.ext_defined).tolist() == [51]
    assert len(result.ext_defined) == 100
    assert np.flatnonzero(~result.defined[:200]).tolist() == [12, 121]
    # External memory is a new one in every run.
    assert machine.run(program(Load(121, 51, 1))).ext_defined is None


def test_an_undefined_word_stored_beyond_ext_words_is_dropped() -> None:
    machine = machine_with_holes({12})
    result = machine.run(program(Store(12, 99, 2), Store(12, 500, 1), Load(120, 500, 1)))
    assert result.ext_defined is not None
    assert np.flatnonzero(~result.ext_defined).tolist() == [99]
    assert result.defined[120]
    assert result.scratchpad[120] == 0


@pytest.mark.parametrize(
    "instruction",
    [
        Requantize(101, 100, 4, 1, 1),
        Softmax(98, 100, 4),
        VectorAdd(101, 100, 50, 4),
        VectorAdd(101, 50, 100, 4),
    ],
)
def test_a_partial_overlap_leaves_dst_undefined_and_nothing_else(
    instruction: Requantize | Softmax | VectorAdd,
) -> None:
    dst = set(range(instruction.dst, instruction.dst + 4))
    assert undefined_after(instruction, undefined=set()) == dst


def test_strict_mode_names_pc_instruction_and_address() -> None:
    machine = machine_with_holes({12}, strict=True)
    with pytest.raises(
        UninitializedRead, match=r"pc 1: VADD 120 20 10 4 reads scratchpad word 12, which nothing has written"
    ) as caught:
        machine.run(program(Load(0, 0, 1), VectorAdd(120, 20, 10, 4)))
    assert (caught.value.pc, caught.value.address) == (1, 12)


def test_strict_mode_refuses_before_any_effect() -> None:
    machine = machine_with_holes({12}, strict=True)
    before = machine.run(program())
    with pytest.raises(UninitializedRead):
        machine.run(program(Load(0, 0, 10), Load(300, 0, 1), ArgMax(0, 12, 1), ext=[77] * 10))
    after = machine.run(program())
    assert (after.scratchpad == before.scratchpad).all()
    assert (after.defined == before.defined).all()


def test_strict_mode_lets_a_program_read_what_it_wrote_or_found() -> None:
    machine = machine_with_holes({12}, strict=True)
    machine.run(program(ArgMax(0, 13, 20), Load(12, 0, 1), ArgMax(0, 12, 20)))
    machine.run(program(ArgMax(0, 12, 20)))


def test_strict_mode_knows_words_that_a_partial_overlap_spoilt() -> None:
    machine = Machine(strict=True)
    with pytest.raises(UninitializedRead, match="pc 1: ST 101 0 1"):
        machine.run(program(Softmax(101, 100, 4), Store(101, 0, 1), scratchpad=[0] * 200))


def test_reads_after_a_fault_do_not_count() -> None:
    Machine(strict=True).run(program(Load(0, 0, 0), ArgMax(0, 12, 20)))
