"""What a reset in the middle of a program changes: which events it may cut off, and which come too late."""

from __future__ import annotations

from refmodel.machine.events import Event, Memory, Retire, Write
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind


def may_be_cut(expected: Event | None, reset_cycle: int) -> bool:
    """May an event be missing because rst was high in a cycle?

    A word sent to external memory in that cycle still arrives. A scratchpad write has no cycle of its own, so
    it may be missing if its instruction was still busy; a retire or an end in that cycle is lost.
    """
    if isinstance(expected, Write) and expected.memory is Memory.EXT:
        return expected.cycle > reset_cycle
    return expected is None or expected.cycle >= reset_cycle


def after_reset(expected: Event | None, found: Event, reset_cycle: int) -> Difference:
    """Return the difference that an event after the reset is."""
    is_write = isinstance(found, Write)
    kind = DivergenceKind.WRITE_OUTSIDE_TURN if is_write else DivergenceKind.RETIRE_WITHOUT_ISSUE
    what = f"{found.kind} of pc {found.pc}" if isinstance(found, Retire | Write) else found.kind
    return Difference(kind, f"{what} after rst in cycle {reset_cycle}", expected, found)
