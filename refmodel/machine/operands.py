"""Which element of which operand a memory word is: what reports name where there is no source map."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Illegal, Instruction, MatMul
from refmodel.isa.regions import Region, footprint


class Access(Enum):
    """How an instruction meets a word, and in which memory."""

    READ = "read"
    """A scratchpad word it reads."""
    WRITE = "write"
    """A scratchpad word it writes."""
    EXT_READ = "external read"
    EXT_WRITE = "external write"


@dataclass(frozen=True, slots=True)
class OperandElement:
    """One element of an operand, such as `A[2][5]`, `C[0][1]`, `src[7]` or `dst[7]`."""

    operand: str
    """A, B or C of an MM as docs/isa.md spells its formula; otherwise the operand of the assembly text."""
    indices: tuple[int, ...]

    def __str__(self) -> str:
        """Return the operand with its indices."""
        return self.operand + "".join(f"[{index}]" for index in self.indices)


def operand_elements(instruction: Instruction, address: int, access: Access) -> tuple[OperandElement, ...]:
    """Return every element that lies at a word, operand by operand and row by row; () where none does.

    They are several where operands overlap or a stride makes rows share words; of those written, the last one
    stays. An instruction that faults or is none touches no word.
    """
    if fault_reason(instruction) is not None:
        return ()
    return tuple(
        OperandElement(operand, tuple(indices))
        for operand, region in _regions(instruction, access).items()
        for indices in np.argwhere(region.addresses() == address).tolist()
    )


def describe_operand(instruction: Instruction, address: int, access: Access) -> str | None:
    """Return the elements at a word in a sentence's words, as in `VADD operand src1[3] = src2[3]`.

    None where the instruction has none there.
    """
    elements = operand_elements(instruction, address, access)
    if not elements or isinstance(instruction, Illegal):
        return None
    return f"{instruction.opcode.name} operand {' = '.join(map(str, elements))}"


def _regions(instruction: Instruction, access: Access) -> dict[str, Region]:
    """Return the operands that an instruction accesses in one way, by name."""
    touched = footprint(instruction)
    match access:
        case Access.READ:
            return touched.reads
        case Access.WRITE:
            name, region = "C" if isinstance(instruction, MatMul) else "dst", touched.writes
        case Access.EXT_READ:
            name, region = "src", touched.ext_reads
        case Access.EXT_WRITE:
            name, region = "dst", touched.ext_writes
    return {} if region is None else {name: region}
