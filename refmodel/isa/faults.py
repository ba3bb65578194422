"""Which instructions fault: the chip stops at their ISSUE with `fault` high, before any memory effect."""

from __future__ import annotations

from refmodel.isa.instructions import Halt, Illegal, Instruction, MatMul, Opcode
from refmodel.isa.limits import MAX_DEPTH, MAX_LENGTH, MAX_TILE


def fault_reason(instruction: Instruction) -> str | None:
    """Return why the instruction faults, or None if it does not (docs/isa.md, "Faults")."""
    if isinstance(instruction, Halt):
        return None
    if isinstance(instruction, Illegal):
        return f"opcode {instruction.opcode} is not an operation, legal is 0..{len(Opcode) - 1}"
    limits: list[tuple[str, int, int]]
    if isinstance(instruction, MatMul):
        m, k, n = instruction.m, instruction.k, instruction.n
        limits = [("M", m, MAX_TILE), ("K", k, MAX_DEPTH), ("N", n, MAX_TILE)]
    else:
        limits = [("len", instruction.length, MAX_LENGTH)]
    for name, value, largest in limits:
        if not 1 <= value <= largest:
            return f"{name} is {value}, legal is 1..{largest}"
    return None
