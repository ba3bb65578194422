"""Runs of programs that passed, with everything that coverage may look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import Opcode
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.result import WordArray
from refmodel.source_map.source_map import SourceMap
from verif.coverage.elements import (
    Elements,
    IntArray,
    Rows,
    elements_of,
    join_elements,
    join_rows,
    rows_of,
    starts_of,
)
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.schedule import NOTHING_AROUND, UNDISTURBED, Cut, Schedule, Surroundings
from verif.coverage.value_places import PlaceArray
from verif.memory_agent.traffic import MemoryTraffic


@dataclass(frozen=True, eq=False)
class PassedProgram:
    """One run: what the RTL did, and what its memories held afterwards."""

    executed: ExecutedProgram
    scratchpad: WordArray
    scratchpad_known: NDArray[np.bool_]
    """Which words are defined and were compared."""
    ext: WordArray
    ext_known: NDArray[np.bool_] | None
    """None: all."""
    met_start: int
    """Situations in which start came, a bit each (hdl/tb/ga2_tb_run_control.sv)."""
    met_reset: int
    """Situations in which rst came."""
    passes: int
    """How often the program was started."""
    traffic: MemoryTraffic | None
    """What the memory monitors saw, where they looked."""
    source_map: SourceMap | None
    """What the compiler says of the program."""
    schedule: Schedule = UNDISTURBED
    """When rst and further starts came."""
    after: Cut | None = None
    """The instruction that the run before this one was cut in."""
    met_stray: int = 0
    """Situations in which a response came that answers nothing."""
    surroundings: Surroundings = NOTHING_AROUND
    """What the harness did around the run."""


class PassedBatch:
    """The data of several runs, looked at together, since a numpy call costs the same for one as for many.

    Places count through the memories of all: scratchpad and external memory of the first, then of the next.
    """

    def __init__(self, programs: Sequence[PassedProgram]) -> None:
        """Join the memories of at least one run."""
        self._programs = programs
        memories = [memory for each in programs for memory in (each.scratchpad, each.ext)]
        self._memory: WordArray = np.concatenate(memories)
        self._first = starts_of(np.array([SCRATCHPAD_WORDS + len(each.ext) for each in programs]))
        self._known = np.concatenate([known for each in programs for known in _known(each)])

    def elements(
        self, opcode: Opcode, operands: tuple[str, ...], attributes: tuple[str, ...] = ()
    ) -> Elements:
        """Return every element, of all instructions of an opcode, whose operands and result were compared."""
        parts = []
        for first, program in zip(self._first, self._programs, strict=True):
            found = elements_of(program.executed, opcode, operands, attributes)
            if len(found.result):
                places = tuple(each + first for each in found.operands)
                parts.append(Elements(places, found.result + first, found.attributes))
        joined = join_elements(parts, len(operands), len(attributes))
        known = np.logical_and.reduce([self._known[each] for each in (*joined.operands, joined.result)])
        return joined if known.all() else joined.selected(known)

    def rows(self, opcode: Opcode) -> Rows:
        """Return every row, of all instructions of an opcode, of which every word was compared."""
        parts = []
        for first, program in zip(self._first, self._programs, strict=True):
            found = rows_of(program.executed, opcode)
            if len(found.lengths):
                parts.append(
                    Rows(found.source + first, found.lengths, found.result + first, found.result_lengths)
                )
        joined = join_rows(parts)
        if self._known[joined.source].all() and self._known[joined.result].all():
            return joined
        whole = np.logical_and(
            np.logical_and.reduceat(self._known[joined.source], joined.starts),
            np.logical_and.reduceat(self._known[joined.result], starts_of(joined.result_lengths)),
        )
        return Rows(
            joined.source[whole[joined.owner]],
            joined.lengths[whole],
            joined.result[np.repeat(whole, joined.result_lengths)],
            joined.result_lengths[whole],
        )

    def signed(self, places: PlaceArray) -> IntArray:
        """Return signed 32-bit words."""
        return self._memory[places].view(np.int32).astype(np.int64)

    def bytes(self, places: PlaceArray) -> IntArray:
        """Return signed low bytes."""
        return self._memory[places].astype(np.uint8).view(np.int8).astype(np.int64)


def _known(program: PassedProgram) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    ext_known = program.ext_known
    return program.scratchpad_known, np.ones(len(program.ext), np.bool_) if ext_known is None else ext_known
