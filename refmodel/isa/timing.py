"""The cycle law: how long every instruction takes, told as the parts it is made of (docs/isa.md, "Time").

Each part is either derived from the structure of its unit (words moved one a cycle, passes over a row, the
wave through the array) or a control constant, which says nothing but how many cycles the unit's state machine
spends around that work. Busy time never depends on data.

| counter   | derived from structure                                     | control constant         |
|-----------|------------------------------------------------------------|--------------------------|
| cyc_total | the sum of the others and of FETCH and ISSUE               | 1 FETCH + 1 ISSUE each   |
| cyc_mm    | M·K + K·N + (K + M + N − 2) + M·N                          | MM 7                     |
| cyc_dma   | LD len + latency, ST len                                   | LD 1, ST 2               |
| cyc_vec   | RQ len, SM 3·len, VADD 2·len, AMAX len                     | RQ 2, SM 47, VADD 2, AMAX 3 |
| n_inst    | one for every instruction that completes                   | none                     |

SM's 47 encloses the 40 steps of its division, one quotient bit each; the split is the unit's own affair, so
the law states the sum.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)

FETCH_CYCLES = 1
ISSUE_CYCLES = 1
"""Every instruction spends both, HALT and a faulting one included."""

STORE_LEAD_CYCLES = 2
"""Busy cycles of an ST before its first write; its last write is in its last busy cycle."""


class Origin(Enum):
    """Where a part of a busy time comes from."""

    STRUCTURE = "derived from structure"
    CONTROL = "control constant"


class Unit(Enum):
    """The counter that an instruction's busy cycles go to, named as the counter is."""

    MATRIX = "cyc_mm"
    DMA = "cyc_dma"
    VECTOR = "cyc_vec"


class BusyPart(NamedTuple):
    """A part of an instruction's busy time."""

    name: str
    cycles: int
    origin: Origin


def unit_of(instruction: Instruction) -> Unit | None:
    """Return the unit that executes the instruction; None for HALT and an illegal word, which none does."""
    match instruction:
        case Halt() | Illegal():
            return None
        case MatMul():
            return Unit.MATRIX
        case Load() | Store():
            return Unit.DMA
        case _:
            return Unit.VECTOR


def busy_parts(instruction: Instruction, read_latency: int) -> tuple[BusyPart, ...]:
    """Return the parts of an instruction's busy time, in the order in which the unit spends them.

    `read_latency` is the external memory's, in cycles, at least 1. HALT has no parts. The instruction must
    not fault: a faulting one is never busy.
    """
    match instruction:
        case Halt() | Illegal():
            return ()
        case Load(length=length):
            return (
                BusyPart("one request a cycle", length, Origin.STRUCTURE),
                BusyPart("latency of the last response", read_latency, Origin.STRUCTURE),
                BusyPart("control", 1, Origin.CONTROL),
            )
        case Store(length=length):
            return (
                BusyPart("control before the first write", STORE_LEAD_CYCLES, Origin.CONTROL),
                BusyPart("one write a cycle", length, Origin.STRUCTURE),
            )
        case MatMul(m=m, k=k, n=n):
            return (
                BusyPart("stage A, one word a cycle", m * k, Origin.STRUCTURE),
                BusyPart("stage B, one word a cycle", k * n, Origin.STRUCTURE),
                BusyPart("skewed stream through the array", k + m + n - 2, Origin.STRUCTURE),
                BusyPart("write C, one word a cycle", m * n, Origin.STRUCTURE),
                BusyPart("control", 7, Origin.CONTROL),
            )
        case Requantize(length=length):
            return (
                BusyPart("one word a cycle", length, Origin.STRUCTURE),
                BusyPart("control", 2, Origin.CONTROL),
            )
        case Softmax(length=length):
            return (
                BusyPart("pass for the maximum", length, Origin.STRUCTURE),
                BusyPart("pass for exponentials and their sum", length, Origin.STRUCTURE),
                BusyPart("pass that scales", length, Origin.STRUCTURE),
                BusyPart("division and control", 47, Origin.CONTROL),
            )
        case VectorAdd(length=length):
            return (
                BusyPart("two reads an element through one port", 2 * length, Origin.STRUCTURE),
                BusyPart("control", 2, Origin.CONTROL),
            )
        case ArgMax(length=length):
            return (
                BusyPart("one word a cycle", length, Origin.STRUCTURE),
                BusyPart("control", 3, Origin.CONTROL),
            )


def busy_cycles(instruction: Instruction, read_latency: int) -> int:
    """Return the cycles for which an instruction keeps its unit busy: the sum of its parts."""
    return sum(part.cycles for part in busy_parts(instruction, read_latency))


def total_cycles(instructions_completed: int, busy: int) -> int:
    """Return cyc_total of a program that halted: `busy` and the FETCH and ISSUE of every word it met.

    The last word is the HALT or the faulting one; it takes FETCH and ISSUE but is not counted in n_inst.
    """
    return (FETCH_CYCLES + ISSUE_CYCLES) * (instructions_completed + 1) + busy
