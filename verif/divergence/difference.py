"""What the rules say about two events that do not agree."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.machine.events import Event
from verif.divergence.kind import DivergenceKind
from verif.divergence.timing import TimingDifference


@dataclass(frozen=True)
class Difference:
    """One difference, classified."""

    kind: DivergenceKind
    message: str
    """What happened, in a sentence."""
    expected: Event | None
    """The event that should have come; None after the end."""
    found: Event | None
    """The event that came; None if nothing more did."""
    timing: TimingDifference | None = None
    """If the instruction's busy time is off."""
    pc: int | None = None
    """Of the instruction that must be running; None: that of the event expected."""
    cycle: int | None = None
    """Where it shows; None: the cycle of the event found."""
    told: tuple[str, str] | None = None
    """What was expected and what was found, where the two events do not say it."""
    counters: tuple[str, ...] = ()
    """The counters that are wrong, by the names of their ports."""
