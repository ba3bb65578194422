"""One run of a graded set."""

from __future__ import annotations

from dataclasses import dataclass

from verif.coverage.run_identity import RunIdentity


@dataclass(frozen=True)
class GradedRun:
    """A run of the set."""

    run: RunIdentity
    bins: int
    """Bins that it hits."""
    adds: int
    """Bins that none of the runs listed before it hits."""
