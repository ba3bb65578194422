"""The cycle law against the table of docs/isa.md, written out again here."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from refmodel.isa.timing import Origin, Unit, busy_cycles, busy_parts, total_cycles, unit_of

lengths = st.integers(1, 4095)
latencies = st.integers(1, 255)


@given(lengths, latencies)
def test_busy_cycles_of_vectors(length: int, latency: int) -> None:
    assert busy_cycles(Load(0, 0, length), latency) == length + latency + 1
    assert busy_cycles(Store(0, 0, length), latency) == length + 2
    assert busy_cycles(Requantize(0, 0, length, 1, 1), latency) == length + 2
    assert busy_cycles(Softmax(0, 0, length), latency) == 3 * length + 47
    assert busy_cycles(VectorAdd(0, 0, 0, length), latency) == 2 * length + 2
    assert busy_cycles(ArgMax(0, 0, length), latency) == length + 3


@given(st.integers(1, 4), st.integers(1, 64), st.integers(1, 4), st.booleans(), latencies)
def test_busy_cycles_of_matmul(m: int, k: int, n: int, transpose_b: bool, latency: int) -> None:
    expected = m * k + k * n + (k + m + n - 2) + m * n + 7
    assert busy_cycles(MatMul(0, 0, 0, m, k, n, transpose_b), latency) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        (Load(0, 0, 1), 10),
        (Load(0, 0, 4095), 4104),
        (Store(0, 0, 1), 3),
        (MatMul(0, 0, 0, 1, 1, 1), 11),
        (MatMul(0, 0, 0, 4, 64, 4), 605),
        (Requantize(0, 0, 1, 0, 0), 3),
        (Softmax(0, 0, 1), 50),
        (VectorAdd(0, 0, 0, 1), 4),
        (ArgMax(0, 0, 1), 4),
    ],
)
def test_hand_computed_at_latency_8(instruction: Instruction, expected: int) -> None:
    assert busy_cycles(instruction, 8) == expected


@pytest.mark.parametrize(
    ("instruction", "unit", "control"),
    [
        (Load(0, 0, 9), Unit.DMA, 1),
        (Store(0, 0, 9), Unit.DMA, 2),
        (MatMul(0, 0, 0, 2, 9, 3), Unit.MATRIX, 7),
        (Requantize(0, 0, 9, 0, 0), Unit.VECTOR, 2),
        (Softmax(0, 0, 9), Unit.VECTOR, 47),
        (VectorAdd(0, 0, 0, 9), Unit.VECTOR, 2),
        (ArgMax(0, 0, 9), Unit.VECTOR, 3),
    ],
)
def test_units_and_control_constants(instruction: Instruction, unit: Unit, control: int) -> None:
    assert unit_of(instruction) is unit
    parts = busy_parts(instruction, 8)
    assert sum(part.cycles for part in parts if part.origin is Origin.CONTROL) == control


@pytest.mark.parametrize("instruction", [Halt(), Illegal(15)])
def test_what_does_not_execute_is_never_busy(instruction: Instruction) -> None:
    assert unit_of(instruction) is None
    assert busy_cycles(instruction, 8) == 0


def test_total_counts_fetch_and_issue_of_the_last_word_too() -> None:
    assert total_cycles(instructions_completed=0, busy=0) == 2
    assert total_cycles(instructions_completed=3, busy=100) == 108
