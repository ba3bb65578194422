"""What the bench saw of one run, before anyone judges it."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.machine.result import RunResult
from verif.bfm.harness import CheckReport


@dataclass(frozen=True, eq=False)
class Observation:
    """One run of a program on the RTL."""

    result: RunResult
    """The architectural state afterwards, as the model gives it."""
    checks: CheckReport
    starts: int
    """How often a start was honoured in this run."""
    was_reset: bool
    """Did `reset_cycle` come before the end?"""
    unknown_outputs: tuple[str, ...] = ()
    """Chip outputs that held an X at the end."""
