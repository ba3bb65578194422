"""What each unit went on to within its busy time, told from the retire log and the cycle law."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from refmodel.isa.instructions import Instruction, Load
from refmodel.machine.result import RETIRE_COLUMNS
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedProgram
from verif.coverage.phases import busy_phases
from verif.coverage.samplers.timing import LOAD_CONTROL_CYCLES


def sample(model: CoverageModel, program: PassedProgram) -> Iterator[IndexArray]:
    """Yield the steps of the instructions that completed; what a driver delays has no law to tell from."""
    if not program.surroundings.driven:
        yield from _steps(model, program.executed)


@lru_cache(maxsize=512)
def _steps(model: CoverageModel, executed: ExecutedProgram) -> tuple[IndexArray, ...]:
    busy = executed.retires[:, RETIRE_COLUMNS.index("busy_dma")].tolist()
    pairs = zip(executed.instructions, busy, strict=True)
    different = {(instruction, _latency(instruction, cycles)) for instruction, cycles in pairs}
    phases = (busy_phases(instruction, latency) for instruction, latency in different)
    steps = {f"{before}, then {after}" for each in phases for (before, *_), (after, *_) in pairwise(each)}
    return tuple(model["phase_step"].named(step) for step in sorted(steps))


def _latency(instruction: Instruction, busy: int) -> int:
    return busy - instruction.length - LOAD_CONTROL_CYCLES if isinstance(instruction, Load) else 0
