"""Time, told from the retire log: read latencies, since LD is busy for length + latency + 1, and counters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Load
from refmodel.isa.timing import total_cycles
from refmodel.machine.result import RETIRE_COLUMNS
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import End, ExecutedProgram
from verif.coverage.model import CoverageModel

LOAD_CONTROL_CYCLES = 1


def sample_counters(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    """Yield the sizes of the counters of a program that ran to its end, which the scoreboard has compared."""
    if program.end is End.RESET:
        return
    busy = program.retires[:, [RETIRE_COLUMNS.index(f"busy_{unit}") for unit in ("mm", "dma", "vec")]]
    units = busy.sum(axis=0)
    total = total_cycles(len(busy), int(units.sum()))
    item = model["counter_size"]
    yield item.hits(np.arange(len(units) + 1), item.dimensions[1].indices([total, *units]))


def sample(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    """Yield the bins that the LDs of a program hit; random delays count by that of the last response."""
    loads = program.retires[:, RETIRE_COLUMNS.index("opcode")] == Load.opcode
    if not loads.any():
        return
    lengths = np.array([each.length for each in program.instructions if isinstance(each, Load)])
    busy = program.retires[loads, RETIRE_COLUMNS.index("busy_dma")]
    latencies = busy - lengths - LOAD_CONTROL_CYCLES
    item = model["load_latency"]
    yield item.hits(item.dimensions[0].indices(latencies), item.dimensions[1].indices(lengths))
    relations = model["load_overlap"]
    (relation,) = relations.dimensions
    for name, where in (
        ("fewer", lengths < latencies),
        ("as many", lengths == latencies),
        ("more", lengths > latencies),
    ):
        yield relations.hits(np.full(int(where.sum()), relation.index(name)))
