"""What the scoreboard says: mismatches and verdicts as typed objects."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Aspect(Enum):
    """What was compared."""

    EXT = "external memory"
    SCRATCHPAD = "scratchpad"
    STATUS = "status"
    COUNTER = "counter"
    RETIRE = "retired instruction"
    BUSY = "busy cycles"
    WRITES = "writes"
    READS = "scratchpad reads"
    UNKNOWN = "unknown value"
    CHECK = "harness check"
    TRAFFIC = "memory traffic"
    PAIRING = "items and results"
    TOKENS = "tokens"
    TENSOR = "tensor of the integer interpreter"
    MUTANT = "RTL that is broken on purpose"


@dataclass(frozen=True)
class Mismatch:
    """One thing that is not as it must be."""

    program: str
    """Name of the sequence item."""
    aspect: Aspect
    where: str
    """The place: an address, a counter's name, an instruction."""
    expected: str
    found: str

    def __str__(self) -> str:
        """Render it for people."""
        return (
            f"{self.program}: {self.aspect.value}, {self.where}: expected {self.expected}, found {self.found}"
        )


@dataclass
class Tally:
    """How much was compared and what was found, over all programs so far."""

    programs: int = 0
    """Programs whose result was compared with the model's."""
    comparisons: int = 0
    """Values compared: words, flags, counters, busy cycles, check counts."""
    cycles: int = 0
    """What the chip's own counters told of those programs."""

    def __iadd__(self, other: Tally) -> Tally:
        """Add another tally."""
        self.programs += other.programs
        self.comparisons += other.comparisons
        self.cycles += other.cycles
        return self
