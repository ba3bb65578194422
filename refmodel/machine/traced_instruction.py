"""One executed instruction, with everything it read and changed."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.isa.instructions import Instruction, MatMul, Softmax
from refmodel.isa.regions import Region
from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES
from refmodel.machine.definedness import Mask
from refmodel.machine.events import CycleSpan, Memory, Retire, Write
from refmodel.machine.result import WordArray


@dataclass(frozen=True, eq=False)
class OperandWords:
    """What the words of an operand held at some moment."""

    name: str
    """As in the assembly: A, B, src, src1, src2 or dst."""
    memory: Memory
    region: Region
    words: WordArray
    """uint32, in the region's shape."""
    defined: Mask
    """In the same shape: false for a word that nothing has defined."""


@dataclass(frozen=True, eq=False)
class TracedInstruction:
    """An instruction that completed."""

    instruction: Instruction
    busy: CycleSpan
    """Its busy cycles."""
    reads: tuple[OperandWords, ...]
    """Its operands as it read them."""
    overwritten: OperandWords
    """Its dst before."""
    written: OperandWords
    """Its dst afterwards, the words that were dropped beyond `ext_words` as 0."""
    writes: tuple[Write, ...]
    """In order; the words that the instruction itself writes over included."""
    retire: Retire

    @property
    def fetch_cycle(self) -> int:
        """The cycle of its FETCH."""
        return self.busy.first - FETCH_CYCLES - ISSUE_CYCLES

    def element(self, position: int) -> str:
        """Name what the write at a position carries: `C[1][2]`, `dst[7]` or `dst[7] (exponential)`."""
        if isinstance(self.instruction, MatMul):
            row, column = divmod(position, self.instruction.n)
            return f"C[{row}][{column}]"
        if isinstance(self.instruction, Softmax) and position < self.instruction.length:
            return f"dst[{position}] (exponential)"
        return f"dst[{position % self.written.words.size}]"
