"""What turns observations into hits: one file a family, each a function that yields the bins it saw.

They are grouped by what they look at, because that decides how often they must run:

- `EXECUTION`: words and retire log, once for each different program;
- `SOURCE`: those and the source map, as often;
- `RUN`: pins and traffic, at every run;
- `DATA`: memories, for many runs at once;
- `LOOP`: a decoding that has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from refmodel.source_map.source_map import SourceMap
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.loop_record import LoopRecord
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedBatch, PassedProgram
from verif.coverage.samplers import (
    compiled_program,
    control,
    faults,
    host_loop,
    instructions,
    interruptions,
    matrix,
    neighbours,
    phase_steps,
    requantizer_data,
    row_data,
    surroundings,
    timing,
    traffic,
    vector_data,
    vector_operands,
)

EXECUTION: tuple[Callable[[CoverageModel, ExecutedProgram], Iterator[IndexArray]], ...] = (
    instructions.sample,
    neighbours.sample,
    matrix.sample,
    vector_operands.sample,
    faults.sample,
    timing.sample,
    timing.sample_counters,
)

SOURCE: tuple[Callable[[CoverageModel, ExecutedProgram, SourceMap], Iterator[IndexArray]], ...] = (
    compiled_program.sample,
)

RUN: tuple[Callable[[CoverageModel, PassedProgram], Iterator[IndexArray]], ...] = (
    control.sample,
    interruptions.sample,
    phase_steps.sample,
    surroundings.sample,
    traffic.sample,
)

DATA: tuple[Callable[[CoverageModel, PassedBatch], Iterator[IndexArray]], ...] = (
    requantizer_data.sample,
    vector_data.sample_additions,
    vector_data.sample_products,
    row_data.sample_softmax,
    row_data.sample_argmax,
)

LOOP: tuple[Callable[[CoverageModel, LoopRecord], Iterator[IndexArray]], ...] = (host_loop.sample,)
