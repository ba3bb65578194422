"""The verdict of a run in a few words, with what it leaves open: the rest of its list, coverage goals."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """Whether a run is good; prints as `Good`, or as `Good: 8 of 56 jobs (tag standing)`."""

    good: bool
    jobs: int
    """Of the run."""
    listed: int
    """Of its whole list; 0 where that was not recorded."""
    part: str
    """How the user chose some of them, as `tag standing`; empty: all were to run."""

    @property
    def colour(self) -> str:
        """The terminal's colour: green is for whole lists only."""
        if not self.good:
            return "bold red"
        return "yellow" if self.part else "green"

    @property
    def sign(self) -> str:
        """What stands before it in Markdown."""
        if not self.good:
            return "❌"
        return "⚠️" if self.part else "✅"

    def __str__(self) -> str:
        """Return it for people."""
        word = "Good" if self.good else "NOT good"
        if not self.part:
            return word
        of_all = f"{self.jobs:,} of {self.listed:,}" if self.listed else f"{self.jobs:,}"
        return f"{word}: {of_all} jobs ({self.part})"


def coverage_words(hit: int | None, bins: int | None) -> str:
    """Return the coverage that a run reached, for beside its verdict; empty where none was collected."""
    if not bins:
        return ""
    reached = f"coverage: {hit or 0:,} of {bins:,} bins"
    return reached if hit == bins else f"{reached} (`make close` checks the goals)"
