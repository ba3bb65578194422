"""What the bench saw of one run, before anyone judges it."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.machine.accesses import Accesses
from refmodel.machine.result import RunResult
from verif.bfm.harness import CheckReport


@dataclass(frozen=True, eq=False)
class ObservedAccesses:
    """How the memories were used in all passes of a run."""

    completed: Accesses
    """Those of the first instructions that completed, `harness.RETIRE_LOG_ENTRIES` at most."""
    completed_count: int
    """How many completed in all."""
    outside_reads: int
    outside_writes: int
    """Cycles outside any instruction in which the scratchpad was read, and in which something was written."""
    sees_writes: bool
    """Does the harness know the scratchpad's write port?"""
    sees_reads: bool
    """And its read port?"""


@dataclass(frozen=True, eq=False)
class Observation:
    """One run of a program on the RTL."""

    result: RunResult
    """The architectural state afterwards, as the model gives it."""
    accesses: ObservedAccesses
    checks: CheckReport
    starts: int
    """How often a start was honoured in this run."""
    was_reset: bool
    """Did `reset_cycle` come before the end?"""
    reset_after_hang: int
    """In how many cycles rst came first, not asked for, because the run before hung."""
    unknown_outputs: tuple[str, ...] = ()
    """Chip outputs that held an X at the end."""
