"""A wrong number of scratchpad reads in a run in which no event was wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refmodel.isa.regions import footprint
from refmodel.machine.accesses import scratchpad_reads
from refmodel.machine.trace import Trace
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind


@dataclass(frozen=True)
class ScratchpadReads:
    """How often the scratchpad was read."""

    by_instruction: tuple[int, ...]
    """By the instructions that completed, in order."""
    outside: int = 0
    """In cycles that belong to none."""

    def of_pass(self, first: int, count: int, *, is_last: bool) -> ScratchpadReads:
        """Return those of one pass, whose first instruction is the run's `first`; `outside` to the last."""
        return ScratchpadReads(self.by_instruction[first : first + count], self.outside if is_last else 0)

    @classmethod
    def from_json(cls, values: Any) -> ScratchpadReads:
        """Return the reads that `dataclasses.asdict` was called on."""
        return cls(tuple(values["by_instruction"]), values["outside"])


def reads_difference(trace: Trace, found: ScratchpadReads) -> Difference | None:
    """Return the difference at the first instruction with a wrong number of reads; None if there is none."""
    for each, reads in zip(trace.instructions, found.by_instruction, strict=False):
        must = scratchpad_reads(each.instruction, footprint(each.instruction))
        if reads != must:
            pc = each.retire.pc
            message = (
                f"pc {pc} ({trace.disassembly(pc)}) reads the scratchpad {reads} times rather than {must}"
            )
            return Difference(DivergenceKind.READS, message, each.retire, None)
    if not found.outside:
        return None
    cycles = f"{found.outside} {'cycle' if found.outside == 1 else 'cycles'}"
    message = f"the scratchpad is read in {cycles} outside the busy cycles of any instruction"
    return Difference(DivergenceKind.READS, message, trace.end, None)
