"""Elements of all instructions of one kind in a program, whose operands and results could still be read.

Only words that survived to the end count, since only those show what the RTL had before it and what it made
of that. Which words they are depends on the program alone, so it is worked out once a program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import Opcode
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.value_places import PlaceArray

IntArray = NDArray[np.int64]

REMEMBERED = 1024
"""Programs and kinds for which this is kept."""


@dataclass(frozen=True, eq=False)
class Elements:
    """Elements one by one, as RQ, VADD and MM treat them; all arrays have the same length."""

    operands: tuple[PlaceArray, ...]
    """Places of each operand's elements."""
    result: PlaceArray
    attributes: tuple[IntArray, ...]
    """Attributes of the instruction that each element belongs to."""

    def selected(self, mask: NDArray[np.bool_]) -> Elements:
        """Return the elements where `mask` is true."""
        return Elements(
            tuple(each[mask] for each in self.operands),
            self.result[mask],
            tuple(each[mask] for each in self.attributes),
        )


@dataclass(frozen=True, eq=False)
class Rows:
    """Whole rows, as SM and AMAX treat them, one behind the other."""

    source: PlaceArray
    lengths: IntArray
    """Of each row, in `source`."""
    result: PlaceArray
    """Places of the results of every row."""
    result_lengths: IntArray
    """Of each row, in `result`: as many as in the source for SM, one for AMAX."""

    @cached_property
    def starts(self) -> IntArray:
        """Where each row begins in `source`."""
        return starts_of(self.lengths)

    @cached_property
    def owner(self) -> IntArray:
        """Which row an element of the source belongs to."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)


@lru_cache(maxsize=REMEMBERED)
def elements_of(
    program: ExecutedProgram, opcode: Opcode, operands: tuple[str, ...], attributes: tuple[str, ...]
) -> Elements:
    """Return the elements of all instructions of an opcode, with these operands and attributes."""
    found: list[Elements] = []
    for instruction, places in zip(program.instructions, program.places, strict=True):
        if instruction.opcode == opcode and places.writes is not None:
            read = [places.reads[name].ravel() for name in operands]
            result = places.writes.ravel()
            values = [np.full(len(result), int(getattr(instruction, name))) for name in attributes]
            there = np.logical_and.reduce([each >= 0 for each in (*read, result)])
            found.append(Elements(tuple(read), result, tuple(values)).selected(there))
    return join_elements(found, len(operands), len(attributes))


@lru_cache(maxsize=REMEMBERED)
def rows_of(program: ExecutedProgram, opcode: Opcode) -> Rows:
    """Return the rows of all instructions of an opcode that can be read completely."""
    found: list[Rows] = []
    for instruction, places in zip(program.instructions, program.places, strict=True):
        if instruction.opcode == opcode and places.writes is not None:
            source, result = places.reads["src"], places.writes
            if (source >= 0).all() and (result >= 0).all():
                found.append(Rows(source, np.array([len(source)]), result, np.array([len(result)])))
    return join_rows(found)


def join_elements(parts: Sequence[Elements], operands: int, attributes: int) -> Elements:
    """Return the elements of several parts, one behind the other."""
    return Elements(
        tuple(join([each.operands[number] for each in parts]) for number in range(operands)),
        join([each.result for each in parts]),
        tuple(join([each.attributes[number] for each in parts]) for number in range(attributes)),
    )


def join_rows(parts: Sequence[Rows]) -> Rows:
    """Return the rows of several parts, one behind the other."""
    return Rows(
        join([each.source for each in parts]),
        join([each.lengths for each in parts]),
        join([each.result for each in parts]),
        join([each.result_lengths for each in parts]),
    )


def starts_of(lengths: IntArray) -> IntArray:
    """Return where each of several stretches begins that lie one behind the other."""
    starts: IntArray = np.cumsum(lengths) - lengths
    return starts


def join(arrays: Sequence[IntArray]) -> IntArray:
    """Return one array of all; of none, an empty one."""
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int64)
