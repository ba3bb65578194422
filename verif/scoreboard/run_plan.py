"""When a run's program starts, halts, starts again and is reset, given how long one pass takes."""

from __future__ import annotations

from dataclasses import dataclass, field

from sequences.stimulus import Stimulus


@dataclass(frozen=True)
class RunPlan:
    """The passes of one run: how often the program is started, and where rst cuts the last pass."""

    starts: int
    reset_in_last: int | None
    """Cycle of the last pass in which rst is high, its FETCH of pc 0 being 1; None: it halts."""
    begins: tuple[int, ...] = field(default=(0,), compare=False)
    """For each pass the cycle of the run in which its start is high and honoured."""


def plan_run(cycles: int, stimulus: Stimulus) -> RunPlan:
    """Work out the passes of a program that takes `cycles` cycles (its cyc_total).

    A pass that starts in cycle s (0 for the first) is halted from cycle s + `cycles` + 1 on. The harness ends
    the run in the first halted cycle with start low and no scheduled start to come.
    """
    begin, starts = 0, 1
    begins = [begin]
    while True:
        halted = begin + cycles + 1
        restart = _next_start(halted, stimulus)
        end = halted if restart is None else restart
        if stimulus.reset_cycle is not None and begin < stimulus.reset_cycle <= end:
            return RunPlan(starts, stimulus.reset_cycle - begin, tuple(begins))
        if restart is None:
            return RunPlan(starts, None, tuple(begins))
        begin, starts = restart, starts + 1
        begins.append(begin)


def _next_start(halted: int, stimulus: Stimulus) -> int | None:
    """Return the first cycle from `halted` on in which the schedule raises start."""
    if stimulus.extra_start is None or stimulus.extra_start[1] < halted:
        return None
    return max(halted, stimulus.extra_start[0])
