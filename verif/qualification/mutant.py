"""The typed object of a mutant: what is broken in the RTL, what shows it, and what the bench must say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind


class Category(Enum):
    """The kinds of error that a bench for this chip must find; the value names it for people."""

    FIELD = "wrong field"
    STRIDE = "stride"
    SIGN_EXTENSION = "sign extension"
    ROUNDING = "rounding"
    CLAMP = "clamp"
    TIE = "tie"
    MISSING_CLEAR = "missing clear"
    OFF_BY_ONE_TIME = "off-by-one time"
    WRONG_COUNTER = "wrong counter"
    STALE_STATE = "stale state"
    RESET_VALUE = "reset value"
    ADDRESS_WRAP = "address wrap"
    LATENCY = "latency dependence"
    SWAPPED_PORTS = "swapped ports"
    FAULT_DECISION = "fault decision"
    WRITE_OUTSIDE_TURN = "write outside a turn"
    MASKED_WRITE = "masked write"
    EXTRA_WRITE = "extra write"
    EXTRA_READ = "extra read"
    HANG = "hang"


@dataclass(frozen=True)
class Expression:
    """An expression of the RTL and the wrong one in its place.

    Both must have the same signedness, for the two stand in one `?:`, whose result is signed only if both
    are: otherwise the unselected copy would not behave as the original.
    """

    before: str
    after: str
    prefix: str = ""
    """The text right before it, where `before` alone occurs more than once in the file."""

    def selected(self, switch: str, kept: str) -> str:
        """Return the text that chooses by the signal `switch`; `kept` is the right expression."""
        return f"({switch} ? ({self.after}) : ({kept}))"

    @property
    def in_place(self) -> str:
        """The text that stands there instead, for good."""
        return f"({self.after})"


@dataclass(frozen=True)
class Statement:
    """A whole statement of a clocked block, or several in a row, and the wrong ones; empty for none."""

    before: str
    after: str
    prefix: str = ""
    """The text right before it, where `before` alone occurs more than once in the file."""

    def selected(self, switch: str, kept: str) -> str:
        """Return the text that chooses by the signal `switch`; `kept` is the right statement."""
        return f"if ({switch}) begin {self.after} end else begin {kept} end"

    @property
    def in_place(self) -> str:
        """The text that stands there instead, for good."""
        return f"begin {self.after} end"


Edit = Expression | Statement


@dataclass(frozen=True)
class FirstDivergence:
    """What a report must name."""

    pc: int
    opcode: str
    """The mnemonic of the instruction at `pc`."""
    unit: Unit | None
    """The unit that executes it; None for HALT and words that fault."""
    kind: DivergenceKind


@dataclass(frozen=True)
class Mutant:
    """One error in one file of the RTL."""

    name: str
    """Letters, digits and underscores; it becomes the name of a signal. No name may begin another."""
    category: Category
    file: str
    """Below hdl/rtl."""
    edits: tuple[Edit, ...]
    broken: str
    """What is broken, in one sentence."""
    programs: tuple[str, ...]
    """What shows it, as `sequences.named_programs` spells it; all but the last must pass, and so must the
    last by itself if there is another before it."""
    expected: FirstDivergence
    x_dependent: bool = False
    """Does what happens depend on values that nothing has set? Icarus has X there, Verilator random bits."""
