"""Which instructions fault, on both sides of every limit."""

from __future__ import annotations

import pytest

from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Opcode,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)


def with_length(length: int) -> list[Instruction]:
    return [
        Load(0, 0, length),
        Store(0, 0, length),
        Requantize(0, 0, length, 1, 1),
        Softmax(0, 0, length),
        VectorAdd(0, 0, 0, length),
        ArgMax(0, 0, length),
    ]


@pytest.mark.parametrize(
    "instruction",
    [
        Halt(),
        *with_length(1),
        *with_length(4095),
        MatMul(0, 0, 0, 1, 1, 1),
        MatMul(0, 0, 0, 4, 64, 4),
    ],
)
def test_legal(instruction: Instruction) -> None:
    assert fault_reason(instruction) is None


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        *((instruction, "len is 0, legal is 1..4095") for instruction in with_length(0)),
        *((instruction, "len is 4096, legal is 1..4095") for instruction in with_length(4096)),
        *((instruction, "len is 65535, legal is 1..4095") for instruction in with_length(65535)),
        (MatMul(0, 0, 0, 0, 1, 1), "M is 0, legal is 1..4"),
        (MatMul(0, 0, 0, 5, 1, 1), "M is 5, legal is 1..4"),
        (MatMul(0, 0, 0, 1, 0, 1), "K is 0, legal is 1..64"),
        (MatMul(0, 0, 0, 1, 65, 1), "K is 65, legal is 1..64"),
        (MatMul(0, 0, 0, 1, 1, 0), "N is 0, legal is 1..4"),
        (MatMul(0, 0, 0, 1, 1, 5), "N is 5, legal is 1..4"),
        (MatMul(0, 0, 0, 129, 1, 1), "M is 129, legal is 1..4"),  # compared as full 8-bit fields
        *(
            (Illegal(opcode), f"opcode {opcode} is not an operation, legal is 0..{len(Opcode) - 1}")
            for opcode in range(len(Opcode), 16)  # four bits
        ),
    ],
)
def test_faulting(instruction: Instruction, reason: str) -> None:
    assert fault_reason(instruction) == reason
