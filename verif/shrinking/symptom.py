"""How a failing series shows that it fails: what a smaller one must show too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from refmodel.isa.timing import Unit
from verif.divergence.divergence import Divergence
from verif.divergence.kind import DivergenceKind


@dataclass(frozen=True)
class Symptom:
    """The first divergence of the last program of a series, as far as shrinking needs it."""

    kind: DivergenceKind
    unit: Unit | None
    """The unit that executes the instruction at `pc`; None for HALT and words that fault."""
    pc: int
    """Of the instruction that must be running."""

    @classmethod
    def of(cls, divergence: Divergence) -> Self:
        """Return the symptom that a divergence is."""
        return cls(divergence.kind, divergence.unit, divergence.pc)

    def is_like(self, other: Symptom | None) -> bool:
        """Is the other one of the same kind, in the same unit? The instruction may be another."""
        return other is not None and (self.kind, self.unit) == (other.kind, other.unit)
