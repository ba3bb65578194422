"""One thing in the RTL that a run reaches or not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CodeKind(StrEnum):
    """What is counted; the value is the word that Verilator has for it."""

    LINE = "line"
    """A row of statements that run together."""
    BRANCH = "branch"
    """One side of an `if`."""
    EXPRESSION = "expr"
    """One way for a condition to come out true or false."""
    TOGGLE = "toggle"
    """One bit of a signal, rising or falling."""
    FSM = "user"
    """An arc of a state machine, or a reset in a state (hdl/tb/ga2_fsm_cover.sv)."""


@dataclass(frozen=True, order=True)
class CodePoint:
    """A place, and what can happen there."""

    file: str
    """As the simulator was given it."""
    line: int
    column: int
    kind: CodeKind
    what: str
    """In Verilator's words: `if`, `(a==1 && b==0) => 0`, `pc_q[3]:0->1`."""
    hierarchy: str
    """The instances that it belongs to, `*` where they differ."""
    lines: tuple[int, ...] = ()
    """All lines of a row of statements or of a branch."""

    def __str__(self) -> str:
        """Return the place and what it is, for people."""
        return f"{self.file}:{self.line}: {self.kind.name.lower()} {self.what}"
