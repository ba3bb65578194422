"""Which run a part of a database comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class RunIdentity:
    """One simulation; the order of the fields is the order in which runs claim the first hit of a bin."""

    test: str
    """What was run, the same in every simulator: a pytest test without its simulator, say."""
    seed: int
    simulator: str
    build: str
    """Hash of everything the simulation was built from."""

    def __str__(self) -> str:
        """Return the run as reports spell it."""
        return f"{self.test}, seed {self.seed}, {self.simulator}"
