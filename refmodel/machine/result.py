"""What one run of a program leaves behind, in the reference machine and on the RTL alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

WordArray = NDArray[np.uint32]


@dataclass(frozen=True)
class Counters:
    """The five cycle counters, 32 bits each and wrapping."""

    cyc_total: int = 0
    cyc_mm: int = 0
    cyc_dma: int = 0
    cyc_vec: int = 0
    n_inst: int = 0

    def __add__(self, other: Counters) -> Counters:
        """Sum two runs; used for totals over many programs, so it does not wrap."""
        return Counters(
            self.cyc_total + other.cyc_total,
            self.cyc_mm + other.cyc_mm,
            self.cyc_dma + other.cyc_dma,
            self.cyc_vec + other.cyc_vec,
            self.n_inst + other.n_inst,
        )


RETIRE_COLUMNS = ("pc", "opcode", "busy_mm", "busy_dma", "busy_vec")
"""Columns of `RunResult.retires`: which instruction completed and the busy cycles of each unit it caused."""


@dataclass(frozen=True, eq=False)
class RunResult:
    """The architectural state after a program, as the scoreboard compares it."""

    halted: bool
    fault: bool
    counters: Counters
    ext: WordArray
    """External memory, uint32[ext_words]; a word is meaningful only where `ext_defined` allows."""
    scratchpad: WordArray
    """uint32[4096]; a word is meaningful only where `defined` is true."""
    defined: NDArray[np.bool_]
    """bool[4096]: false where a word was never written or depends on one (model), or holds an X (RTL)."""
    retires: NDArray[np.int64]
    """int64[n_inst, 5], one row a completed instruction, columns as in `RETIRE_COLUMNS`."""
    ext_defined: NDArray[np.bool_] | None = None
    """bool[ext_words] as `defined`, or None where every external word is defined."""
    results: tuple[NDArray[Any], ...] = ()
    """All words that the instructions wrote, in order, in arrays of any shape (model alone)."""
    undefined_results: tuple[int, ...] = ()
    """The instructions that wrote an undefined word (model alone)."""
    stray_ext_accesses: int = 0
    """Words beyond `ext_words` that the program read (as 0) or wrote (dropped), the program's error."""
