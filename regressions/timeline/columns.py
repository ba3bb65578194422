"""How busy a lane is in each column of a text time line, and where its axis has ticks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from refmodel.machine.events import CycleSpan

COLUMNS_A_CYCLE = 4
"""At most; a program of few cycles does not fill the line."""

EIGHTHS = " ▁▂▃▄▅▆▇█"
"""A column by how full it is."""

TICK_GAP = 3
"""Columns between the labels of two ticks, at least."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that share out a program's cycles; all of them stand for the same time."""

    cycles: int
    count: int

    def eighths(self, spans: Iterable[CycleSpan]) -> str:
        """Return a character a column: the time within `spans`, in eighths of the column's.

        Spans are in the order of time and do not overlap. A column is blank or full only if it is so exactly.
        """
        # Times in units of which a cycle has `count` and a column `cycles`: columns may begin within cycles.
        bounds = np.array([(span.first - 1, span.last) for span in spans], np.int64).reshape(-1, 2)
        starts, ends = bounds.T * self.count
        edges = np.arange(self.count + 1) * self.cycles
        past = np.searchsorted(ends, edges, side="right")  # spans that are over at each edge
        over = np.concatenate([[0], np.cumsum(ends - starts)])[past]
        begun = np.append(starts, edges[-1])[past]
        filled = np.diff(over + np.maximum(edges - begun, 0))
        nearest = (16 * filled + self.cycles) // (2 * self.cycles)
        inner = np.clip(nearest, 1, 7)
        levels = np.where(filled == 0, 0, np.where(filled == self.cycles, 8, inner))
        return "".join(EIGHTHS[level] for level in levels.tolist())

    def column_of(self, cycle: int) -> int:
        """Return the column in which a cycle begins."""
        return (cycle - 1) * self.count // self.cycles

    def ticks(self) -> list[int]:
        """Return the cycles that get a label: 1 and the multiples of a round number, none beyond the end."""
        room = len(f"{self.cycles:,}") + TICK_GAP
        step = next(
            step
            for power in range(len(str(self.cycles)) + 2)
            for step in (10**power, 2 * 10**power, 5 * 10**power)
            if self.column_of(max(2, step)) >= room
        )
        fitting = range(step, self.cycles + 1, step)
        labelled = [cycle for cycle in fitting if self.column_of(cycle) + len(f"{cycle:,}") <= self.count]
        return [1, *(cycle for cycle in labelled if cycle > 1)]


def columns_for(cycles: int, width: int) -> Columns:
    """Return the columns for a program of so many cycles on a line of `width` characters.

    A program of more cycles fills the line; the columns of one that is shorter begin and end with its cycles.
    """
    return Columns(cycles, width if cycles > width else cycles * min(COLUMNS_A_CYCLE, width // cycles))
