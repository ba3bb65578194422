"""start and rst within the busy time of an instruction, told from the schedule and the retire log.

Only first passes count: the retire log is that of the last one. What a driver delays has no law to tell from.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Instruction, Load, Store
from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES, busy_cycles
from refmodel.machine.result import RETIRE_COLUMNS
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import End, ExecutedProgram
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedProgram
from verif.coverage.phases import busy_phases, outstanding_reads
from verif.coverage.schedule import Cut, Schedule

FRONT_CYCLES = FETCH_CYCLES + ISSUE_CYCLES


def cut_of(program: PassedProgram) -> Cut | None:
    """Return the busy instruction that rst cut, or None where it cut none."""
    schedule, executed = program.schedule, program.executed
    if schedule.reset is None or schedule.latency is None or program.passes != 1:
        return None
    busy = schedule.reset - _ends(executed)[-1] - FRONT_CYCLES
    last = executed.last
    if executed.end is not End.RESET or fault_reason(last) is not None or busy < 1:
        return None
    return Cut(last, int(busy), schedule.latency) if busy <= busy_cycles(last, schedule.latency) else None


def sample(model: CoverageModel, program: PassedProgram) -> Iterator[IndexArray]:
    """Yield the phases in which start was lost, and those in which rst had come before this program."""
    if program.schedule.start is not None:
        yield from _lost_starts(model, program.executed, program.schedule, program.passes)
    cut, executed = program.after, program.executed
    if cut is not None and executed.words:
        following = executed.instructions[0]
        same = following.opcode == cut.instruction.opcode
        yield model["reset_phase"].named(cut.phase, "the same instruction" if same else "another one")
        item = model["reset_outstanding"]
        reads, kinds = item.dimensions
        kind = (
            "LD" if isinstance(following, Load) else "ST" if isinstance(following, Store) else "another one"
        )
        # None under way lies in no bin.
        yield item.hits(reads.indices(cut.outstanding) if cut.outstanding else -1, kinds.index(kind))


def _lost_starts(
    model: CoverageModel, executed: ExecutedProgram, schedule: Schedule, passes: int
) -> Iterator[IndexArray]:
    if passes != 1 or schedule.latency is None:
        return
    assert schedule.start is not None
    first, last = schedule.start
    if schedule.reset is not None:
        last = min(last, schedule.reset - 1)
    ends = _ends(executed)
    instructions: list[Instruction] = list(executed.instructions)
    if executed.end is End.RESET and fault_reason(executed.last) is None:
        instructions.append(executed.last)
    item = model["start_lost_phase"]
    from_number = max(0, int(np.searchsorted(ends, first)) - 1)
    for instruction, end in zip(instructions[from_number:], ends[from_number:].tolist(), strict=False):
        issued = end + FRONT_CYCLES
        if issued >= last:
            break
        for name, begin, finish in busy_phases(instruction, schedule.latency):
            if first <= issued + finish and issued + begin <= last:
                yield item.named(name)
        if isinstance(instruction, Load):
            yield _under_way(model, instruction, schedule.latency, range(first - issued, last - issued + 1))


def _under_way(model: CoverageModel, load: Load, latency: int, cycles: range) -> IndexArray:
    """Return how many reads of an LD are under way in those of some cycles that are its busy ones."""
    busy = range(max(cycles.start, 1), min(cycles.stop, busy_cycles(load, latency) + 1))
    reads = {outstanding_reads(load.length, latency, each) for each in busy}
    item = model["start_lost_outstanding"]
    return item.hits(item.dimensions[0].indices(sorted(reads)))


def _ends(executed: ExecutedProgram) -> IndexArray:
    """Return the last cycle before each instruction, from 0 on, and after the last that completed."""
    units = [RETIRE_COLUMNS.index(f"busy_{unit}") for unit in ("mm", "dma", "vec")]
    busy = executed.retires[:, units].sum(axis=1)
    ends: IndexArray = np.concatenate([[0], np.cumsum(busy + FRONT_CYCLES)])
    return ends
