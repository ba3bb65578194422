"""Reset in the middle of a program: what completed stays, an ST keeps its prefix, all else is undefined."""

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
from refmodel.machine.result import Counters
from refmodel.machine.tests.helpers import program

# LD of 2 words at latency 1: FETCH in cycle 1, ISSUE 2, busy 3..6. ST of 3 words: FETCH 7, ISSUE 8, busy
# 9..13, of which 11, 12 and 13 write. HALT: FETCH 14, ISSUE 15; halted from 16.
LOAD_STORE = program(Load(0, 0, 2), Store(0, 50, 3), ext=[5, 6], read_latency=1)


def machine_with_word_2() -> Machine:
    machine = Machine()
    machine.run(program(Load(0, 0, 3), ext=[1, 2, 9]))
    return machine


@pytest.mark.parametrize(
    ("cycle", "retired", "undefined", "stored"),
    [
        (1, 0, [], []),
        (2, 0, [], []),
        (3, 0, [0, 1], []),
        (6, 0, [0, 1], []),  # the last busy cycle: rst wins, so the LD does not complete
        (7, 1, [], []),
        (8, 1, [], []),
        (10, 1, [], []),
        (11, 1, [], [5]),
        (12, 1, [], [5, 6]),
        (13, 1, [], [5, 6, 9]),  # every word is written, but the ST does not complete
        (14, 2, [], [5, 6, 9]),
        (15, 2, [], [5, 6, 9]),
        (16, 2, [], [5, 6, 9]),
        (1000, 2, [], [5, 6, 9]),
    ],
)
def test_load_then_store(cycle: int, retired: int, undefined: list[int], stored: list[int]) -> None:
    result = machine_with_word_2().run_until_reset(LOAD_STORE, cycle)
    assert (result.halted, result.fault, result.counters) == (False, False, Counters())
    assert result.retires[:, 0].tolist() == list(range(retired))
    assert np.flatnonzero(~result.defined[:3]).tolist() == undefined
    assert result.ext[50:53].tolist() == stored + [0] * (3 - len(stored))
    assert result.ext_defined is None
    if not undefined:
        assert result.scratchpad[:2].tolist() == ([5, 6] if retired else [1, 2])


@pytest.mark.parametrize(
    ("instruction", "busy", "abandoned"),
    [
        (Load(20, 0, 3), 12, {20, 21, 22}),
        (MatMul(20, 0, 0, 2, 3, 2, False, 3, 2, 5), 6 + 6 + 5 + 4 + 7, {20, 21, 25, 26}),
        (Requantize(20, 0, 3, 1, 1), 5, {20, 21, 22}),
        (Softmax(20, 0, 3), 56, {20, 21, 22}),
        (VectorAdd(20, 0, 3, 3), 8, {20, 21, 22}),
        (ArgMax(20, 0, 3), 6, {20}),
    ],
)
def test_every_busy_cycle_of_an_abandoned_instruction(
    instruction: Instruction, busy: int, abandoned: set[int]
) -> None:
    bundle = program(instruction, scratchpad=[1] * 100)
    for cycle in range(1, 3 + busy + 4):
        result = Machine().run_until_reset(bundle, cycle)
        expected = abandoned if 3 <= cycle < 3 + busy else set()
        assert set(np.flatnonzero(~result.defined).tolist()) == expected, f"reset in cycle {cycle}"
        assert len(result.retires) == (cycle >= 3 + busy)
        outside = [address for address in range(4096) if address not in abandoned]
        assert result.scratchpad[outside].tolist() == [1 if address < 100 else 0 for address in outside]


def test_a_good_program_runs_after_a_reset() -> None:
    machine = machine_with_word_2()
    machine.run_until_reset(LOAD_STORE, 4)
    result = machine.run(program(Load(0, 0, 1), Store(0, 0, 3), ext=[4]))
    assert result.defined[:3].tolist() == [True, False, True]
    assert result.ext_defined is not None
    assert result.ext_defined[:3].tolist() == [True, False, True]
    assert (result.ext[0], result.ext[2], result.counters.n_inst) == (4, 9, 2)


def test_an_undefined_word_that_a_cut_store_wrote_is_undefined_outside() -> None:
    result = Machine().run_until_reset(program(Store(0, 50, 3), scratchpad=None), 6)
    assert result.ext_defined is not None
    assert np.flatnonzero(~result.ext_defined).tolist() == [50, 51]


def test_a_fault_before_the_reset_is_forgotten_too() -> None:
    result = Machine().run_until_reset(program(Load(0, 0, 0)), 10)
    assert (result.halted, result.fault, len(result.retires)) == (False, False, 0)


def test_strict_mode_checks_what_ran() -> None:
    machine = Machine(strict=True)
    machine.run_until_reset(program(Load(0, 0, 3), ArgMax(0, 50, 3)), 5)
    with pytest.raises(UninitializedRead):
        machine.run_until_reset(program(ArgMax(0, 50, 3)), 100)


def test_stray_accesses_count_as_far_as_they_came() -> None:
    bundle = program(Store(0, 98, 4), Load(0, 98, 4), scratchpad=[], ext_words=100)
    assert Machine().run_until_reset(bundle, 8).stray_ext_accesses == 2
    assert Machine().run_until_reset(bundle, 7).stray_ext_accesses == 1


def test_there_is_no_cycle_before_the_first() -> None:
    with pytest.raises(ValueError, match="first cycle"):
        Machine().run_until_reset(LOAD_STORE, 0)
