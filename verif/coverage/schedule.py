"""The schedule of one run, as the harness holds it, and what a run before it left behind."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.isa.instructions import Instruction, Load
from verif.coverage.phases import busy_phases, outstanding_reads


@dataclass(frozen=True)
class Schedule:
    """When rst and further starts came; FETCH of pc 0 is cycle 1."""

    reset: int | None = None
    """The cycle of rst, if it came before the end."""
    start: tuple[int, int] | None = None
    """First and last cycle of a further start."""
    latency: int | None = None
    """Of reads; None where a driver delays each as it likes."""


UNDISTURBED = Schedule()
"""Started once, and nothing else came."""


@dataclass(frozen=True)
class Surroundings:
    """What the harness did around a run, read from its registers."""

    reset_first: bool = False
    """Was there rst before start?"""
    reset_cycle: int | None = None
    """The first cycle of rst, if it came before the end."""
    reset_width: int = 1
    """Cycles of each rst."""
    reset_gap: int = 0
    """Cycles between an rst and the second; 0: there was one."""
    start: tuple[int, int] | None = None
    """First and last cycle of a further start, lost or honoured."""
    rest: int = 0
    """Cycles that the chip was watched for after the end, beyond the usual ones."""
    driven: bool = False
    """Did a bus driver answer its reads?"""


NOTHING_AROUND = Surroundings()
"""Started, and left alone before and after."""


@dataclass(frozen=True)
class Cut:
    """The busy instruction that rst cut short."""

    instruction: Instruction
    busy: int
    """Its busy cycle in which rst was high, from 1."""
    latency: int

    @property
    def phase(self) -> str:
        """Return what its unit was at."""
        phases = busy_phases(self.instruction, self.latency)
        return next(name for name, first, last in phases if first <= self.busy <= last)

    @property
    def outstanding(self) -> int:
        """Return how many reads were under way."""
        if not isinstance(self.instruction, Load):
            return 0
        return outstanding_reads(self.instruction.length, self.latency, self.busy)
