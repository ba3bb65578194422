"""What one simulator made of one mutant."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from verif.qualification.mutant import FirstDivergence, Mutant


class Verdict(Enum):
    """Whether the bench stood the test; the value names it for people."""

    AS_EXPECTED = "as expected"
    ELSEWHERE = "found, but elsewhere"
    """The mutant was found, but the report names another place or another kind."""
    SURVIVED = "SURVIVED"
    """The bench found nothing wrong."""
    ERROR = "error"
    """Nothing was concluded: the simulation or its explanation failed."""


@dataclass(frozen=True)
class Outcome:
    """One mutant on one simulator."""

    mutant: Mutant
    simulator: str
    verdict: Verdict
    found: FirstDivergence | None = None
    """What the report names; None if there is none, or if nothing diverges in it."""
    programs_needed: int | None = None
    """How many programs, the failing one included, it takes to show it; None if there is no report."""
    detail: str = ""
    """Why it is not as expected, in a sentence."""

    @property
    def good(self) -> bool:
        """Is it as expected?"""
        return self.verdict is Verdict.AS_EXPECTED
