"""How often each bin was hit in one simulation, and by which program first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from verif.coverage.passed_program import PassedBatch, PassedProgram

BATCH = 32
"""Runs that are sampled together."""

REMEMBERED_PROGRAMS = 512
"""Programs whose hits are kept for the next time that they run."""

NamedProgram = tuple[str, PassedProgram]


class Tally:
    """The hits of one simulation."""

    def __init__(self, model: CoverageModel) -> None:
        """Begin with nothing hit."""
        self.model = model
        self._counts: NDArray[np.int64] = np.zeros(model.bins, np.int64)
        self._first: dict[int, str] = {}
        self._programs = 0
        self._waiting: list[NamedProgram] = []
        self._by_map: dict[int, tuple[SourceMap, ExecutedProgram, IndexArray]] = {}

    def program(self, name: str, program: PassedProgram) -> None:
        """Count one run of a program that passed, if not at once then in time."""
        self._programs += 1
        self._waiting.append((name, program))
        if len(self._waiting) == BATCH:
            self._sample_waiting()

    def loop(self, name: str, loop: LoopRecord) -> None:
        """Count one decoding."""
        self._sample_waiting()
        self._count(name, _joined(each for sample in samplers.LOOP for each in sample(self.model, loop)))

    def count(self, number: int) -> int:
        """Return how often a bin was hit so far, by its number in the model."""
        self._sample_waiting()
        return int(self._counts[number])

    def result(self) -> RunHits:
        """Return everything that was counted."""
        self._sample_waiting()
        bins = np.flatnonzero(self._counts).tolist()
        hits = {number: BinHits(int(self._counts[number]), self._first[number]) for number in bins}
        return RunHits(self._programs, hits)

    def _sample_waiting(self) -> None:
        """Count all runs that wait: together, unless one of them is the first to hit something."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        hits = self._hits(waiting)
        if self._counts[hits].all():
            self._add(hits)
            return
        for each in waiting:
            self._count(each[0], self._hits([each]))

    def _hits(self, programs: Sequence[NamedProgram]) -> IndexArray:
        """Return what some runs hit, a bin as often as it was."""
        hits: list[IndexArray] = []
        for _, program in programs:
            hits.append(_execution_hits(self.model, program.executed))
            if program.source_map is not None and program.executed.end is End.HALT:
                hits.append(self._source_hits(program.executed, program.source_map))
            hits += [each for sample in samplers.RUN for each in sample(self.model, program)]
        batch = PassedBatch([program for _, program in programs])
        hits += [each for sample in samplers.DATA for each in sample(self.model, batch)]
        return np.concatenate(hits)

    def _count(self, name: str, hits: IndexArray) -> None:
        for number in hits[self._counts[hits] == 0].tolist():
            self._first[number] = name
        self._add(hits)

    def _add(self, hits: IndexArray) -> None:
        self._counts += np.bincount(hits, minlength=len(self._counts))

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
