"""Everything about a program that does not depend on data: decoded once, used in every run.

GA2 has no branch and its busy times do not depend on data, so a program's instructions, its end, its counters
and the cycle in which each instruction ends are known before it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.encoding import decode
from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Halt, Instruction, Load
from refmodel.isa.limits import IMEM_WORDS
from refmodel.isa.regions import Footprint, footprint, partial_overlap
from refmodel.isa.timing import (
    FETCH_CYCLES,
    ISSUE_CYCLES,
    Unit,
    busy_cycles,
    total_cycles,
    unit_of,
)
from refmodel.machine.accesses import AccessPlan
from refmodel.machine.definedness import Interface, interface
from refmodel.machine.result import Counters

COUNTER_MASK = 0xFFFF_FFFF
"""Counters have 32 bits and wrap."""


@dataclass(frozen=True, eq=False)
class DecodedProgram:
    """The instructions that complete, and what is known of them without data."""

    instructions: tuple[Instruction, ...]
    """The instructions that complete: all before the first HALT or fault. Of an endless program, some."""
    fault: bool
    """Does a fault end the program, rather than a HALT?"""
    counters: Counters
    """At the end of the program."""
    retires: NDArray[np.int64]
    """As `RunResult.retires`; read-only, since runs share it."""
    last_cycles: NDArray[np.int64]
    """Cycle in which each instruction is busy for the last time; FETCH of pc 0 is cycle 1."""

    @property
    def endless(self) -> bool:
        """Does the program fill the program memory without a HALT or a fault, so that the pc wraps?"""
        return len(self.instructions) >= IMEM_WORDS

    @cached_property
    def footprints(self) -> tuple[Footprint, ...]:
        """What each instruction touches."""
        of = {instruction: footprint(instruction) for instruction in set(self.instructions)}
        return tuple(of[instruction] for instruction in self.instructions)

    @cached_property
    def interface(self) -> Interface:
        """Which scratchpad words the program needs, and which it defines."""
        return interface(self.footprints)

    @cached_property
    def access_plan(self) -> AccessPlan:
        """Where its instructions write, and how often they read."""
        return AccessPlan(self.instructions, self.footprints)

    @cached_property
    def overlaps_partially(self) -> bool:
        """Does an instruction leave its dst undefined because dst overlaps a source?"""
        return any(partial_overlap(touched) for touched in self.footprints)

    @cached_property
    def ext_end(self) -> int:
        """One more than the highest external address that the program touches."""
        regions = [
            region for each in self.footprints for region in (each.ext_reads, each.ext_writes) if region
        ]
        return max((min(region.last + 1, region.memory_words) for region in regions), default=0)


@lru_cache(maxsize=512)
def decode_program(code: tuple[int, ...], read_latency: int) -> DecodedProgram:
    """Decode a program up to its end, or all of its words if it has none; words beyond `code` are 0, HALT.

    `read_latency` is the external memory's, in cycles. Decoding the same program again is free.
    """
    instructions: list[Instruction] = []
    fault = False
    for instruction in map(decode, code):
        fault = fault_reason(instruction) is not None
        if fault or isinstance(instruction, Halt):
            break
        instructions.append(instruction)
    busy = np.array([busy_cycles(instruction, read_latency) for instruction in instructions], dtype=np.int64)
    return _timed(tuple(instructions), fault, busy)


@lru_cache(maxsize=4)
def wrapped_program(program: DecodedProgram, cycles: int) -> DecodedProgram:
    """Return an endless program with its pc wrapping as often as it takes for so many cycles."""
    once = int(program.last_cycles[-1])
    times = cycles // once + 1
    busy = np.tile(program.retires[:, 2:].sum(axis=1), times)
    return _timed(program.instructions * times, False, busy)


def with_load_busy(program: DecodedProgram, load_busy: Sequence[int]) -> DecodedProgram:
    """Return a program whose LDs are busy for other times than a fixed read latency gives, in their order.

    Raises ValueError when there are more or fewer times than LDs that complete.
    """
    loads = program.retires[:, 1] == Load.opcode
    if loads.sum() != len(load_busy):
        raise ValueError(f"{loads.sum()} LDs, but {len(load_busy)} times for them")
    busy = program.retires[:, 2:].sum(axis=1)
    busy[loads] = load_busy
    return _timed(program.instructions, program.fault, busy)


def _timed(instructions: tuple[Instruction, ...], fault: bool, busy: NDArray[np.int64]) -> DecodedProgram:
    """Return the program, given how long each instruction is busy."""
    units = [unit_of(instruction) for instruction in instructions]
    retires = np.zeros((len(instructions), 5), dtype=np.int64)
    retires[:, 0] = np.arange(len(instructions)) % IMEM_WORDS
    retires[:, 1] = [instruction.opcode for instruction in instructions]
    for column, unit in enumerate((Unit.MATRIX, Unit.DMA, Unit.VECTOR), start=2):
        retires[:, column] = np.where([owner is unit for owner in units], busy, 0)
    retires.flags.writeable = False
    mm, dma, vec = (int(cycles) for cycles in retires[:, 2:].sum(axis=0))
    counters = Counters(
        cyc_total=total_cycles(len(instructions), mm + dma + vec) & COUNTER_MASK,
        cyc_mm=mm & COUNTER_MASK,
        cyc_dma=dma & COUNTER_MASK,
        cyc_vec=vec & COUNTER_MASK,
        n_inst=len(instructions) & COUNTER_MASK,
    )
    last_cycles = np.cumsum(busy + FETCH_CYCLES + ISSUE_CYCLES)
    return DecodedProgram(instructions, fault, counters, retires, last_cycles)
