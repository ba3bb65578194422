"""Words that fault, of every kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refmodel.isa.encoding import LAYOUT, OPERATIONS
from refmodel.isa.instructions import Illegal, Instruction, Opcode
from refmodel.isa.limits import MAX_DEPTH, MAX_LENGTH, MAX_TILE
from sequences.random_programs.draws import Draws


@dataclass(frozen=True)
class FaultKind:
    """Why a word faults: an opcode 8..15, or an operand that is 0 or too large."""

    opcode: int
    operand: str | None = None
    """Attribute of the instruction's dataclass; None for an illegal opcode."""
    zero: bool = False

    def __str__(self) -> str:
        """Return the kind in words, such as `LD length 0`."""
        if self.operand is None:
            return f"opcode {self.opcode}"
        return f"{Opcode(self.opcode).name} {self.operand} {'0' if self.zero else 'too large'}"


_LARGEST_LEGAL = {"length": MAX_LENGTH, "m": MAX_TILE, "n": MAX_TILE, "k": MAX_DEPTH}

FAULT_KINDS: tuple[FaultKind, ...] = (
    *(FaultKind(opcode) for opcode in range(len(Opcode), 16)),
    *(
        FaultKind(opcode, field.operand, zero)
        for opcode, kind in OPERATIONS.items()
        for field in LAYOUT[kind]
        if field.operand in _LARGEST_LEGAL
        for zero in (True, False)
    ),
)
"""Every kind of fault (docs/isa.md, "Faults")."""


def faulty_instruction(draws: Draws, kind: FaultKind | None = None) -> Instruction:
    """Return an instruction that faults for the one reason of its kind; its other operands are anything."""
    kind = draws.element(FAULT_KINDS) if kind is None else kind
    if kind.operand is None:
        return Illegal(kind.opcode)
    operation = OPERATIONS[Opcode(kind.opcode)]
    operands: dict[str, Any] = {}
    for field in LAYOUT[operation]:
        legal = _LARGEST_LEGAL.get(field.operand)
        if field.operand == kind.operand:
            assert legal is not None
            operands[field.operand] = 0 if kind.zero else draws.between(legal + 1, field.largest)
        elif legal is not None:
            operands[field.operand] = draws.between(1, legal)
        else:
            operands[field.operand] = draws.below(field.largest + 1)
        if field.flag:
            operands[field.operand] = bool(operands[field.operand])
    return operation(**operands)
