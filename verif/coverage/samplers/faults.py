"""Faults, by kind and by how much had completed before them."""

from __future__ import annotations

from collections.abc import Iterator

from refmodel.isa.instructions import Illegal, Instruction, MatMul
from refmodel.isa.limits import MAX_DEPTH, MAX_TILE
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import End, ExecutedProgram
from verif.coverage.instruction_names import length_of, mnemonic
from verif.coverage.model import CoverageModel


def sample(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    """Yield the bins of the fault that ended a program; one word can have several things wrong with it."""
    if program.end is not End.FAULT:
        return
    item = model["fault_position"]
    kinds, positions = item.dimensions
    for kind in _kinds(program.last):
        yield item.hits(kinds.index(kind), positions.indices(len(program.instructions)))


def _kinds(instruction: Instruction) -> Iterator[str]:
    opcode = mnemonic(instruction)
    if isinstance(instruction, Illegal):
        yield opcode
    elif isinstance(instruction, MatMul):
        for name, value, largest in (
            ("M", instruction.m, MAX_TILE),
            ("N", instruction.n, MAX_TILE),
            ("K", instruction.k, MAX_DEPTH),
        ):
            if value == 0:
                yield f"MM with {name} = 0"
            elif value > largest:
                yield f"MM with {name} above {largest}"
    else:
        yield f"{opcode} of 0 words" if length_of(instruction) == 0 else f"{opcode} that is too long"
