"""The operations of GA2, one frozen dataclass each (docs/isa.md, "Instruction word").

Scratchpad addresses are 0..4095, external addresses 0..65535; both count 32-bit words, and so do lengths and
strides. The fields are in the order of the assembly text. An object may hold operands that fault, such as a
length of 0: `faults.fault_reason` tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, TypeAlias


class Opcode(IntEnum):
    """Bits 127:124 of an instruction word; the names are the assembly mnemonics."""

    HALT = 0
    LD = 1
    ST = 2
    MM = 3
    RQ = 4
    SM = 5
    VADD = 6
    AMAX = 7


@dataclass(frozen=True, slots=True)
class Halt:
    """Stop; every word whose opcode is 0, an all-zero word included."""

    opcode: ClassVar[Opcode] = Opcode.HALT


@dataclass(frozen=True, slots=True)
class Load:
    """Copy `length` words from external memory at `src` to the scratchpad at `dst`."""

    opcode: ClassVar[Opcode] = Opcode.LD
    dst: int
    src: int
    length: int


@dataclass(frozen=True, slots=True)
class Store:
    """Copy `length` words from the scratchpad at `src` to external memory at `dst`."""

    opcode: ClassVar[Opcode] = Opcode.ST
    src: int
    dst: int
    length: int


@dataclass(frozen=True, slots=True)
class MatMul:
    """C[m, n] = A[m, k]·B[k, n] with int8 operands and int32 results; `lda`, `ldb`, `ldc` are row strides.

    With `transpose_b` the scratchpad holds B[k][n] at `b + n·ldb + k` instead of `b + k·ldb + n`.
    """

    opcode: ClassVar[Opcode] = Opcode.MM
    dst: int
    a: int
    b: int
    m: int
    k: int
    n: int
    transpose_b: bool = False
    lda: int = 0
    ldb: int = 0
    ldc: int = 0


@dataclass(frozen=True, slots=True)
class Requantize:
    """Scale int32 words to int8 by `multiplier` / 2^`shift`, clamped below at 0 with `relu`."""

    opcode: ClassVar[Opcode] = Opcode.RQ
    dst: int
    src: int
    length: int
    multiplier: int
    shift: int
    relu: bool = False


@dataclass(frozen=True, slots=True)
class Softmax:
    """Softmax of one row of int8 scores in Q4.4 to probabilities in Q0.16."""

    opcode: ClassVar[Opcode] = Opcode.SM
    dst: int
    src: int
    length: int


@dataclass(frozen=True, slots=True)
class VectorAdd:
    """Saturating int8 sum of two vectors."""

    opcode: ClassVar[Opcode] = Opcode.VADD
    dst: int
    src1: int
    src2: int
    length: int


@dataclass(frozen=True, slots=True)
class ArgMax:
    """Index of the first maximum of signed 32-bit words, one word."""

    opcode: ClassVar[Opcode] = Opcode.AMAX
    dst: int
    src: int
    length: int


@dataclass(frozen=True, slots=True)
class Illegal:
    """A word whose `opcode`, 8..15, names no operation; it faults."""

    opcode: int


Operation: TypeAlias = Halt | Load | Store | MatMul | Requantize | Softmax | VectorAdd | ArgMax
"""An instruction that has an opcode of its own."""

Instruction: TypeAlias = Operation | Illegal
"""What any instruction word decodes to."""
