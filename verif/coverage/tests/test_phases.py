"""Phases of busy time, against the cycle law and against numbers worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import ArgMax, Instruction, Load, Requantize, Softmax, Store, VectorAdd
from refmodel.isa.tests.strategies import any_instruction
from refmodel.isa.timing import busy_cycles
from verif.coverage.model import load_model
from verif.coverage.phases import busy_phases, outstanding_reads


@given(any_instruction, st.integers(1, 300))
def test_phases_fill_the_busy_time(instruction: Instruction, latency: int) -> None:
    if fault_reason(instruction) is not None:
        return
    phases = busy_phases(instruction, latency)
    cycles = [cycle for _, first, last in phases for cycle in range(first, last + 1)]
    assert cycles == list(range(1, busy_cycles(instruction, latency) + 1))
    assert {name for name, _, _ in phases} <= set(load_model()["start_lost_phase"].dimensions[0].bins)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        (
            Load(0, 0, 12),
            [
                ("LD requesting", 1, 8),
                ("LD requesting and receiving", 9, 12),
                ("LD receiving", 13, 20),
                ("LD writing its last word", 21, 21),
            ],
        ),
        (
            Load(0, 0, 3),
            [
                ("LD requesting", 1, 3),
                ("LD waiting", 4, 8),
                ("LD receiving", 9, 11),
                ("LD writing its last word", 12, 12),
            ],
        ),
        (Store(0, 0, 1), [("ST reading", 1, 2), ("ST writing its last word", 3, 3)]),
        (Requantize(0, 0, 1, 1, 1), [("RQ filling", 1, 1), ("RQ draining", 2, 3)]),
        (
            Softmax(0, 0, 10),
            [
                ("SM finding the maximum", 1, 11),
                ("SM making exponentials", 12, 23),
                ("SM dividing", 24, 65),
                ("SM scaling", 66, 77),
            ],
        ),
        (VectorAdd(0, 8, 16, 3), [("VADD reading", 1, 6), ("VADD draining", 7, 8)]),
        (ArgMax(0, 0, 2), [("AMAX reading", 1, 2), ("AMAX draining", 3, 4), ("AMAX writing", 5, 5)]),
    ],
)
def test_phases_by_hand(instruction: Instruction, expected: list[tuple[str, int, int]]) -> None:
    assert list(busy_phases(instruction, 8)) == expected


def test_reads_under_way() -> None:
    assert [outstanding_reads(3, 2, busy) for busy in range(1, 7)] == [1, 2, 2, 1, 0, 0]
