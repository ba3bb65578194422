"""Operands by address: each by hand, and all of them against a walk through the formulas of docs/isa.md."""

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
from refmodel.machine.operands import Access, describe_operand, operand_elements
from refmodel.machine.tests.strategies import matmuls

PRODUCT = MatMul(dst=100, a=10, b=50, m=3, k=7, n=2, lda=8, ldb=2, ldc=20)
TRANSPOSED = MatMul(dst=100, a=10, b=50, m=3, k=7, n=2, transpose_b=True, lda=8, ldb=9, ldc=20)


@pytest.mark.parametrize(
    ("instruction", "address", "access", "text"),
    [
        (PRODUCT, 10, Access.READ, "MM operand A[0][0]"),
        (PRODUCT, 31, Access.READ, "MM operand A[2][5]"),
        (PRODUCT, 17, Access.READ, None),
        (PRODUCT, 63, Access.READ, "MM operand B[6][1]"),
        (TRANSPOSED, 63, Access.READ, "MM operand B[4][1]"),
        (PRODUCT, 141, Access.WRITE, "MM operand C[2][1]"),
        (PRODUCT, 141, Access.READ, None),
        (PRODUCT, 31, Access.WRITE, None),
        (PRODUCT, 31, Access.EXT_READ, None),
        (MatMul(0, 8, 9, 1, 4, 1, lda=4, ldb=1), 10, Access.READ, "MM operand A[0][2] = B[1][0]"),
        (MatMul(4095, 8, 9, 1, 1, 2, lda=4, ldb=2, ldc=2), 0, Access.WRITE, "MM operand C[0][1]"),
        (MatMul(7, 8, 9, 3, 1, 1, lda=4, ldb=1), 7, Access.WRITE, "MM operand C[0][0] = C[1][0] = C[2][0]"),
        (Load(5, 60, 9), 8, Access.WRITE, "LD operand dst[3]"),
        (Load(5, 60, 9), 68, Access.EXT_READ, "LD operand src[8]"),
        (Load(5, 65535, 2), 0, Access.EXT_READ, "LD operand src[1]"),
        (Load(5, 60, 9), 69, Access.EXT_READ, None),
        (Load(5, 60, 9), 8, Access.EXT_WRITE, None),
        (Load(5, 60, 9), 8, Access.READ, None),
        (Store(5, 60, 9), 5, Access.READ, "ST operand src[0]"),
        (Store(5, 60, 9), 61, Access.EXT_WRITE, "ST operand dst[1]"),
        (Store(5, 60, 9), 61, Access.WRITE, None),
        (Requantize(5, 5, 9, 1, 1), 6, Access.READ, "RQ operand src[1]"),
        (Requantize(5, 5, 9, 1, 1), 6, Access.WRITE, "RQ operand dst[1]"),
        (Softmax(5, 20, 9), 28, Access.READ, "SM operand src[8]"),
        (VectorAdd(5, 20, 20, 9), 23, Access.READ, "VADD operand src1[3] = src2[3]"),
        (VectorAdd(5, 20, 40, 9), 43, Access.READ, "VADD operand src2[3]"),
        (ArgMax(5, 20, 9), 5, Access.WRITE, "AMAX operand dst[0]"),
        (ArgMax(5, 20, 9), 6, Access.WRITE, None),
        (Halt(), 0, Access.READ, None),
        (Illegal(15), 0, Access.WRITE, None),
        (MatMul(0, 8, 9, 5, 1, 1, lda=4, ldb=1, ldc=1), 0, Access.WRITE, None),
    ],
)
def test_operands_by_hand(instruction: Instruction, address: int, access: Access, text: str | None) -> None:
    assert describe_operand(instruction, address, access) == text


@given(matmuls, st.data())
def test_every_element_of_a_product_is_found_at_its_word(instruction: MatMul, data: st.DataObject) -> None:
    m, k, n = (data.draw(st.integers(0, size - 1)) for size in (instruction.m, instruction.k, instruction.n))
    b = n * instruction.ldb + k if instruction.transpose_b else k * instruction.ldb + n
    for element, address, access in (
        (f"A[{m}][{k}]", instruction.a + m * instruction.lda + k, Access.READ),
        (f"B[{k}][{n}]", instruction.b + b, Access.READ),
        (f"C[{m}][{n}]", instruction.dst + m * instruction.ldc + n, Access.WRITE),
    ):
        assert element in map(str, operand_elements(instruction, address % 4096, access))
