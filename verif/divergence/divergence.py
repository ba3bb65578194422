"""The first difference between two runs, with all that is needed to understand it."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.isa.timing import Unit
from refmodel.machine.event_text import event_text
from refmodel.machine.events import Event, Retire
from refmodel.machine.traced_instruction import OperandWords
from refmodel.source_map.instruction_source import Service
from verif.divergence.kind import DivergenceKind
from verif.divergence.tensor_value import TensorValue
from verif.divergence.timing import TimingDifference

RETIRES_SHOWN = 5
"""Retires before the divergence that are kept."""


@dataclass(frozen=True)
class RetirePair:
    """A retire as it was expected and as it was found."""

    pc: int
    text: str
    """The instruction's disassembly."""
    expected: Retire
    found: Retire


@dataclass(frozen=True, eq=False)
class Divergence:
    """Where a run leaves the path that was expected of it, and how."""

    kind: DivergenceKind
    message: str
    """What happened, in a sentence."""
    pc: int
    """Of the instruction that must be running."""
    text: str
    """Its disassembly."""
    opcode: str
    """Its mnemonic."""
    unit: Unit | None
    """The unit that executes it; None for HALT and words that fault."""
    cycle: int
    """Of the event found; in a hang, of the last event before it (0 if there is none)."""
    position: int
    """How many events agree before it."""
    expected: Event | None
    """The event that should have come; None after the end."""
    found: Event | None
    """The event that came; None if nothing more did."""
    element: str | None
    """What the expected write carries, by the operand's name: `dst[3]`, `C[1][2]`."""
    source: str | None
    """What the source map says that the instruction is for: `scores[row 2], columns 4..7`."""
    service: Service | None
    """The kind of node that the instruction serves: the same in every graph, whatever its tensors' names."""
    tensor: TensorValue | None
    """The tensor's element that the expected write carries, if there is a source map."""
    timing: TimingDifference | None
    """If the instruction's busy time is off."""
    operands: tuple[OperandWords, ...]
    """What the instruction read, or must have read, according to the model."""
    retires_before: tuple[RetirePair, ...]
    """The last retires before it, up to `RETIRES_SHOWN`, oldest first."""
    told: tuple[str, str] | None = None
    """What was expected and what was found, where the two events do not say it."""
    counters: tuple[str, ...] = ()
    """The counters that are wrong, by the names of their ports."""

    @property
    def headline(self) -> str:
        """What diverges, where; of a start, which pass did not begin as it must."""
        what = self.message.partition(":")[0] if self.kind is DivergenceKind.START else self.text
        return f"{self.kind.value} in cycle {self.cycle}, pc {self.pc}: {what}"

    @property
    def expected_text(self) -> str:
        """What should have come."""
        if self.told is not None:
            return self.told[0]
        return "nothing: the program has ended" if self.expected is None else event_text(self.expected)

    @property
    def found_text(self) -> str:
        """What came."""
        if self.told is not None:
            return self.told[1]
        return "nothing more" if self.found is None else event_text(self.found)
