"""How coverage calls an instruction and its length."""

from __future__ import annotations

from refmodel.isa.instructions import Halt, Illegal, Instruction, MatMul


def mnemonic(instruction: Instruction) -> str:
    """Return the name of its opcode: `LD`, or `opcode 9` where it has none."""
    return f"opcode {instruction.opcode}" if isinstance(instruction, Illegal) else instruction.opcode.name


def length_of(instruction: Instruction) -> int:
    """Return its operand `length`; the instruction must have one."""
    assert not isinstance(instruction, Halt | Illegal | MatMul), f"{mnemonic(instruction)} has no length"
    return instruction.length
