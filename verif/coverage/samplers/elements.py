"""Elements of all instructions of one kind in a program, whose operands and results could still be read.

Only words that survived to the end count, since only those show what the RTL had before it and what it made
of that. Which words they are depends on the program alone, so it is worked out once a program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import Instruction
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.value_places import PlaceArray

_NO_PLACES: PlaceArray = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Elements:
    """Elements one by one, as RQ, VADD and MM treat them; all arrays have the same length."""

    operands: tuple[PlaceArray, ...]
    """Places of each operand's elements."""
    result: PlaceArray
    owner: NDArray[np.int64]
    """Which of `instructions` an element belongs to."""
    instructions: tuple[Instruction, ...]

    def attribute(self, name: str) -> NDArray[np.int64]:
        """Return, for each element, an attribute of its instruction."""
        values = np.array([getattr(instruction, name) for instruction in self.instructions], np.int64)
        return values[self.owner]


@dataclass(frozen=True, eq=False)
class Rows:
    """Whole rows, as SM and AMAX treat them, one behind the other."""

    source: PlaceArray
    result: PlaceArray
    """Of every row: as many places as the source has for SM, one a row for AMAX."""
    starts: NDArray[np.int64]
    """Where each row begins in `source`."""
    lengths: NDArray[np.int64]

    @property
    def owner(self) -> NDArray[np.int64]:
        """Return which row an element of the source belongs to."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)


def elements(program: ExecutedProgram, kind: type[Instruction], operands: Sequence[str]) -> Elements:
    """Return the elements of all instructions of a kind, one operand a name."""
    sources: list[list[PlaceArray]] = [[] for _ in operands]
    results: list[PlaceArray] = []
    owners: list[NDArray[np.int64]] = []
    instructions: list[Instruction] = []
    for instruction, places in zip(program.instructions, program.places, strict=True):
        if not isinstance(instruction, kind):
            continue
        assert places.writes is not None
        read = [places.reads[name].ravel() for name in operands]
        result = places.writes.ravel()
        there = np.logical_and.reduce([places >= 0 for places in (*read, result)])
        for collected, one in zip(sources, read, strict=True):
            collected.append(one[there])
        results.append(result[there])
        owners.append(np.full(int(there.sum()), len(instructions)))
        instructions.append(instruction)
    return Elements(
        tuple(_joined(each) for each in sources), _joined(results), _joined(owners), tuple(instructions)
    )


def rows(program: ExecutedProgram, kind: type[Instruction]) -> Rows:
    """Return the rows of all instructions of a kind that can be read completely."""
    sources: list[PlaceArray] = []
    results: list[PlaceArray] = []
    for instruction, places in zip(program.instructions, program.places, strict=True):
        if isinstance(instruction, kind) and places.writes is not None:
            source, result = places.reads["src"], places.writes
            if (source >= 0).all() and (result >= 0).all():
                sources.append(source)
                results.append(result)
    lengths = np.array([len(source) for source in sources], np.int64)
    return Rows(_joined(sources), _joined(results), np.cumsum(lengths) - lengths, lengths)


def _joined(arrays: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(arrays) if arrays else _NO_PLACES
