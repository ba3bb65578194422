"""Read latency, told from the retire log: LD is busy for length + latency + 1 cycles (docs/isa.md)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Load
from refmodel.machine.result import RETIRE_COLUMNS
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.model import CoverageModel

LOAD_CONTROL_CYCLES = 1


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
