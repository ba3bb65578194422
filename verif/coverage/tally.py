"""How often each bin was hit in one simulation, and by which program first."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refmodel.source_map.source_map import SourceMap
from verif.coverage import samplers
from verif.coverage.database import BinHits, RunHits
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import End, ExecutedProgram
from verif.coverage.item import NO_HITS
from verif.coverage.loop_record import LoopRecord
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedProgram

NO_PROGRAM = -1

REMEMBERED_PROGRAMS = 512
"""Programs whose hits are kept for the next time that they run."""


class Tally:
    """The hits of one simulation."""

    def __init__(self, model: CoverageModel) -> None:
        """Begin with nothing hit."""
        self.model = model
        self.counts: NDArray[np.int64] = np.zeros(model.bins, np.int64)
        self.first: NDArray[np.int64] = np.full(model.bins, NO_PROGRAM, np.int64)
        """Number in `names` of the program that hit each bin first."""
        self.names: list[str] = []
        self.programs = 0
        self._by_map: dict[int, tuple[SourceMap, ExecutedProgram, IndexArray]] = {}

    def program(self, name: str, program: PassedProgram) -> None:
        """Count one run of a program that passed."""
        self.programs += 1
        hits = [_execution_hits(self.model, program.executed)]
        if program.source_map is not None and program.executed.end is End.HALT:
            hits.append(self._source_hits(program.executed, program.source_map))
        hits += [each for sample in samplers.DATA for each in sample(self.model, program)]
        self._count(name, np.concatenate(hits))

    def loop(self, name: str, loop: LoopRecord) -> None:
        """Count one decoding."""
        self._count(name, _joined(each for sample in samplers.LOOP for each in sample(self.model, loop)))

    def result(self) -> RunHits:
        """Return everything that was counted."""
        return RunHits(
            self.programs,
            {
                number: BinHits(int(self.counts[number]), self.names[self.first[number]])
                for number in np.flatnonzero(self.counts).tolist()
            },
        )

    def _count(self, name: str, hits: IndexArray) -> None:
        new = hits[self.counts[hits] == 0]
        if len(new):
            self.first[new] = len(self.names)
            self.names.append(name)
        self.counts += np.bincount(hits, minlength=len(self.counts))

    def _source_hits(self, program: ExecutedProgram, source_map: SourceMap) -> IndexArray:
        """Work out once what all bundles of a compiled program share; they share the very map, too."""
        known = self._by_map.get(id(source_map))
        if known is not None and known[0] is source_map and known[1] is program:
            return known[2]
        hits = _joined(each for sample in samplers.SOURCE for each in sample(self.model, program, source_map))
        if len(self._by_map) == REMEMBERED_PROGRAMS:
            self._by_map.clear()
        self._by_map[id(source_map)] = (source_map, program, hits)
        return hits


@lru_cache(maxsize=REMEMBERED_PROGRAMS)
def _execution_hits(model: CoverageModel, program: ExecutedProgram) -> IndexArray:
    return _joined(each for sample in samplers.EXECUTION for each in sample(model, program))


def _joined(hits: Iterable[IndexArray]) -> IndexArray:
    return np.concatenate([NO_HITS, *hits])
