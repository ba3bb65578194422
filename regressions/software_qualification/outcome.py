"""What the Python tests made of one software mutant."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from regressions.software_qualification.mutant import SoftwareMutant


class Verdict(Enum):
    """Whether the tests see the mutant; the value names it for people."""

    KILLED = "killed"
    SURVIVED = "SURVIVED"
    """Its tests ran and all of them passed."""
    ERROR = "error"
    """Nothing was concluded: no test ran, they did not end, or they failed for another reason."""


@dataclass(frozen=True)
class Outcome:
    """One mutant."""

    mutant: SoftwareMutant
    verdict: Verdict
    killer: str = ""
    """The first test that failed, for a mutant that was killed."""
    detail: str = ""
    """What that test said; else why the mutant was not killed."""

    @property
    def good(self) -> bool:
        """Was it killed?"""
        return self.verdict is Verdict.KILLED
