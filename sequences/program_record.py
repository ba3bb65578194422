"""What one program of a decoding cost, as the published table speaks of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from refmodel.isa.instructions import Load, Opcode
from refmodel.isa.timing import busy_cycles
from refmodel.machine.bundle import DEFAULT_READ_LATENCY
from refmodel.machine.result import Counters, RunResult
from refmodel.source_map.role import StepKind
from refmodel.speculative.step import Step

OPCODE_COLUMN, BUSY_DMA_COLUMN = 1, 3


@dataclass(frozen=True)
class ProgramRecord:
    """One program that ran to its HALT."""

    kind: StepKind
    context: int
    """Rows in the cache before it."""
    rows: int
    """Tokens it evaluated."""
    choices: tuple[int, ...]
    """The token that it chose after each of them."""
    counters: Counters
    operations: dict[str, int]
    """Instructions executed by mnemonic, the HALT included."""
    words_loaded: int
    """Words that its LD moved, told from their busy cycles."""


def record_program(step: Step, result: RunResult, read_latency: int = DEFAULT_READ_LATENCY) -> ProgramRecord:
    """Sum up the run of a step from its retire log; `result` has halted without a fault."""
    opcodes = Counter(Opcode(number).name for number in result.retires[:, OPCODE_COLUMN].tolist())
    loads = result.retires[result.retires[:, OPCODE_COLUMN] == Opcode.LD]
    around_a_load = busy_cycles(Load(0, 0, 1), read_latency) - 1
    return ProgramRecord(
        kind=step.kind,
        context=step.context,
        rows=step.rows,
        choices=tuple(step.program.read_outputs(result.ext)["tok"].ravel().tolist()),
        counters=result.counters,
        operations={**opcodes, Opcode.HALT.name: 1},
        words_loaded=int(loads[:, BUSY_DMA_COLUMN].sum()) - around_a_load * len(loads),
    )
