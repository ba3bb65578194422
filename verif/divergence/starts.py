"""Rules for starts: one that must be honoured and is not, comes late, or begins a pass too many."""

from __future__ import annotations

from refmodel.machine.trace import Trace
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind


def lost_start(number: int, before: Trace | None, cycle: int) -> Difference:
    """Describe a start that did not begin pass `number` of a program.

    `before` is the model's trace of the pass before it, in whose cycle `cycle` start is high; without one it
    is the first start of the run, in cycle 0.
    """
    message = f"pass {number} did not start: {_place(number, before, cycle)} start is high, but is lost"
    return _difference(message, before, cycle, "no FETCH of pc 0 follows")


def late_start(number: int, before: Trace, cycle: int, found: int) -> Difference:
    """Describe a pass that begins with another start than with the one that must be honoured.

    `before` and `cycle` as above; `found` is the cycle of the start that began it.
    """
    message = (
        f"pass {number} did not start when it must: {_place(number, before, cycle)} start is high, but "
        f"that of cycle {found} is honoured"
    )
    return _difference(message, before, min(cycle, found), f"FETCH of pc 0 in cycle {found + 1}")


def start_too_many(number: int, before: Trace, cycle: int) -> Difference:
    """Describe a pass that must not begin; `before` and `cycle` are as above."""
    message = f"pass {number} must not start, but does so: {_place(number, before, cycle)} no start is due"
    told = ("the program ends here", f"FETCH of pc 0 after cycle {cycle}")
    return Difference(DivergenceKind.START, message, None, None, pc=before.end.pc, cycle=cycle, told=told)


def _difference(message: str, before: Trace | None, cycle: int, found: str) -> Difference:
    pc = 0 if before is None else before.end.pc
    told = (f"FETCH of pc 0 after start in cycle {cycle}", found)
    return Difference(DivergenceKind.START, message, None, None, pc=pc, cycle=cycle, told=told)


def _place(number: int, before: Trace | None, cycle: int) -> str:
    """Return where a start comes, as the beginning of a sentence."""
    if before is None:
        return "in cycle 0"
    end = before.end
    what = f"{'fault' if end.fault else 'halt'} at pc {end.pc}"
    return f"in cycle {cycle} of pass {number - 1}, {cycle - end.cycle} after the {what},"
