"""The values of proofs: what is to be proved of which part of the chip, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Proof:
    """Properties of one module, which must hold in every cycle of every run."""

    name: str
    title: str
    """What is proved, in one line."""
    top: str
    """The module of hdl/rtl."""
    depth: int = 1
    """Cycles of the longest induction that is tried."""
    reach: int = 12
    """Cycles within which every cover must be reached."""
    seconds: float = 60.0
    """Of CPU time, for the proof alone."""
    quick: bool = True
    """Is it part of `make test`?"""
    stubs: tuple[str, ...] = ()
    """Modules below `top` whose outputs are anything at all, so that what they do matters to no property."""
    units: tuple[str, ...] = ()
    """Modules below `top` of which only what `ga2_turn_properties` says is known; it is proved of each."""
    cut: tuple[str, ...] = ()
    """Types of cells that are left out: what they drive is anything at all. Multipliers are hard to solve."""
    helpers: tuple[str, ...] = ("ga2_turn_properties",)
    """Further modules of hdl/formal or hdl/tb."""
    named: str = ""
    """The module of properties; empty: `TOP_properties`. It is in hdl/formal."""
    inside: tuple[tuple[str, str], ...] = ()
    """Nets of the module of properties, and the signals of other modules, from `top` on, that they show."""

    @property
    def properties(self) -> str:
        """Its name."""
        return self.named or f"{self.top}_properties"


class Verdict(Enum):
    """What came of a proof; the value says it for people."""

    PROVED = "proved"
    FAILED = "FAILED"
    """There is a counterexample from reset on."""
    NOT_PROVEN = "NOT PROVEN"
    """Out of time or memory, an error of a tool, an open induction, or a cover out of reach."""


@dataclass(frozen=True)
class Counterexample:
    """A run from reset on, at whose last cycle something is broken."""

    broken: tuple[str, ...]
    """The properties that do not hold in its last cycle."""
    signals: dict[str, tuple[str, ...]]
    """Bits of each signal in each cycle."""

    @property
    def cycles(self) -> int:
        """How many cycles it has."""
        return max((len(values) for values in self.signals.values()), default=0)


@dataclass(frozen=True)
class ProofResult:
    """What came of a proof."""

    proof: Proof
    verdict: Verdict
    properties: int
    """How many were to be proved."""
    covers: int
    """How many covers were reached."""
    cpu: float
    """Seconds of CPU time, covers included."""
    detail: str = ""
    """Why it is not proven; empty if proved."""
    counterexample: Counterexample | None = None
    """Of a failed proof from reset on; of an induction that does not close, from a state that may be out of
    reach."""
