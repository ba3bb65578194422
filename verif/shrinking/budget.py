"""How much may be tried before the best result so far must do.

A budget counts what is tried rather than the time that it takes, so that a result is the same on every
machine and on both simulators.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """What a search may spend."""

    trials: int
    """Candidates that may run."""
    cycles: int
    """Cycles that they may take together, by the model's count."""
