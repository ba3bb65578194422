"""Neighbours: words that both touch, and the carry of the pc between them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.isa.regions import Footprint
from refmodel.machine.result import RETIRE_COLUMNS
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.instruction_names import mnemonic
from verif.coverage.model import CoverageModel

FIRST_UNIT = 1
"""Opcode of LD, the first bin of `first` and `second`."""


def sample(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    """Yield the bins that pairs of instructions hit which completed one directly after the other."""
    yield _carries(model, program)
    names = [mnemonic(instruction) for instruction in program.instructions]
    words = [_words(touched) for touched in program.footprints]
    item = model["data_hazard"]
    for (first, second), (before, after) in zip(pairwise(names), pairwise(words), strict=True):
        (reads, writes), (later_reads, later_writes) = before, after
        for hazard, shared in (
            ("read after write", writes & later_reads),
            ("write after write", writes & later_writes),
            ("write after read", reads & later_writes),
        ):
            if shared:
                yield item.named(hazard, first, second)


def _words(touched: Footprint) -> tuple[int, int]:
    """Return the sets of words that an instruction reads and writes; those of external memory lie behind."""
    reads = writes = 0
    for region in touched.reads.values():
        reads |= region.address_set()
    if touched.writes is not None:
        writes |= touched.writes.address_set()
    if touched.ext_reads is not None:
        reads |= touched.ext_reads.address_set() << SCRATCHPAD_WORDS
    if touched.ext_writes is not None:
        writes |= touched.ext_writes.address_set() << SCRATCHPAD_WORDS
    return reads, writes


def _carries(model: CoverageModel, program: ExecutedProgram) -> IndexArray:
    retires = program.retires
    pc = retires[:-1, RETIRE_COLUMNS.index("pc")]
    opcodes = retires[:, RETIRE_COLUMNS.index("opcode")] - FIRST_UNIT
    ones = np.frexp(pc ^ (pc + 1))[1] - 1
    item = model["pc_carry"]
    return item.hits(item.dimensions[0].indices(ones), opcodes[:-1], opcodes[1:])
