"""Between instructions and 128-bit words; `LAYOUT` is the one place that knows which bits hold what.

The layout is the table of docs/isa.md, "Instruction word". Bits that no row names are reserved: `encode`
leaves them 0, `decode` ignores them, bits 15:12 of scratchpad addresses included.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from refmodel.errors import Ga2Error
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Opcode,
    Operation,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)

OPCODE_LOW = 124
"""Lowest bit of the opcode, which fills the word up to bit 127."""

WORD_BITS = 128


class FieldError(Ga2Error):
    """An operand does not fit the bits that hold it."""

    def __init__(self, mnemonic: str, name: str, value: int, largest: int, smallest: int = 0) -> None:
        """Name the operand as the assembly does, its value and the legal range."""
        legal = f"{smallest}..{largest}"
        super().__init__(f"{mnemonic}: field {name} is {value}, legal is {legal}; change the operand")
        self.name = name
        self.value = value
        self.largest = largest


@dataclass(frozen=True)
class Field:
    """The bits of an instruction word that hold one operand."""

    operand: str
    """Attribute of the instruction's dataclass."""
    symbol: str
    """Name in assembly text and messages."""
    low: int
    """Lowest bit."""
    width: int
    """Bits."""
    flag: bool = False
    """The operand is a bool."""

    @property
    def largest(self) -> int:
        """Return the largest value that fits."""
        return (1 << self.width) - 1


def _scratchpad(operand: str, low: int, symbol: str | None = None) -> Field:
    """A 16-bit address field of which the chip uses 12 bits."""
    return Field(operand, symbol or operand, low, 12)


# Lowest bits of the word's fields as docs/isa.md names them.
_A, _B, _C, _D, _E, _F, _G, _H, _FL, _X = 108, 92, 76, 52, 46, 38, 30, 22, 18, 0

_LENGTH_IN_C = Field("length", "len", _C, 16)

LAYOUT: dict[type[Operation], tuple[Field, ...]] = {
    Halt: (),
    Load: (_scratchpad("dst", _A), Field("src", "src", _B, 16), _LENGTH_IN_C),
    Store: (_scratchpad("src", _A), Field("dst", "dst", _B, 16), _LENGTH_IN_C),
    MatMul: (
        _scratchpad("dst", _A),
        _scratchpad("a", _B, "A"),
        _scratchpad("b", _C, "B"),
        Field("m", "M", _F, 8),
        Field("k", "K", _G, 8),
        Field("n", "N", _H, 8),
        Field("transpose_b", "tb", _FL, 1, flag=True),
        Field("lda", "lda", _D, 12),
        Field("ldb", "ldb", _D + 12, 12),
        Field("ldc", "ldc", _X, 12),
    ),
    Requantize: (
        _scratchpad("dst", _A),
        _scratchpad("src", _B),
        _LENGTH_IN_C,
        Field("multiplier", "m", _D, 24),
        Field("shift", "s", _E, 6),
        Field("relu", "relu", _FL, 1, flag=True),
    ),
    Softmax: (_scratchpad("dst", _A), _scratchpad("src", _B), _LENGTH_IN_C),
    VectorAdd: (
        _scratchpad("dst", _A),
        _scratchpad("src1", _B),
        _scratchpad("src2", _C),
        Field("length", "len", _D, 16),
    ),
    ArgMax: (_scratchpad("dst", _A), _scratchpad("src", _B), _LENGTH_IN_C),
}
"""Operands of every operation, in the order of its assembly text and of its dataclass."""

_PLACES = {
    kind: tuple((field.operand, field.low, ~field.largest) for field in fields)
    for kind, fields in LAYOUT.items()
}
"""What `encode` needs of `LAYOUT`, with the bits that no value may have: compiling is largely encoding."""

OPERATIONS: dict[Opcode, type[Operation]] = {kind.opcode: kind for kind in LAYOUT}
"""The dataclass of every opcode."""


def encode(instruction: Instruction) -> int:
    """Return the 128-bit word of an instruction, its reserved bits 0.

    Raises FieldError when an operand does not fit its field. Operands that fit but fault are encoded: a bench
    needs them.
    """
    if isinstance(instruction, Illegal):
        first, last = len(Opcode), 15
        if not first <= instruction.opcode <= last:
            raise FieldError("illegal operation", "opcode", instruction.opcode, last, first)
        return instruction.opcode << OPCODE_LOW
    word = int(instruction.opcode) << OPCODE_LOW
    for operand, low, outside in _PLACES[type(instruction)]:
        value = operator.index(getattr(instruction, operand))
        if value & outside:
            field = next(field for field in LAYOUT[type(instruction)] if field.operand == operand)
            raise FieldError(instruction.opcode.name, field.symbol, value, field.largest)
        word |= value << low
    return word


def encode_program(instructions: Iterable[Instruction]) -> tuple[int, ...]:
    """Return the words of a program, for `Bundle.code`."""
    return tuple(encode(instruction) for instruction in instructions)


@lru_cache(maxsize=1 << 14)
def decode(word: int) -> Instruction:
    """Return the instruction that a 128-bit word means; reserved bits are ignored.

    Raises FieldError when `word` has more than 128 bits or is negative.
    """
    if word < 0 or word >> WORD_BITS:
        raise FieldError("instruction word", "word", word, (1 << WORD_BITS) - 1)
    number = word >> OPCODE_LOW
    if number >= len(Opcode):
        return Illegal(number)
    kind = OPERATIONS[Opcode(number)]
    values: list[Any] = [
        bool(word >> field.low & 1) if field.flag else word >> field.low & field.largest
        for field in LAYOUT[kind]
    ]
    return kind(*values)
