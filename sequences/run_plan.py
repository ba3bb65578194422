"""When a run's program starts, halts, starts again and is reset, given how long one pass takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sequences.stimulus import Stimulus


@dataclass(frozen=True)
class RunPlan:
    """The passes of one run, one for each start that is honoured."""

    begins: tuple[int, ...]
    """Cycle of the run in which the start of each pass is high."""
    cuts: tuple[int | None, ...]
    """Cycle of each pass in which rst is first high, its FETCH of pc 0 being 1; None: it halts, and the next
    start meets the halted chip."""

    @property
    def starts(self) -> int:
        """How often the program is started."""
        return len(self.cuts)

    @property
    def reset_in_last(self) -> int | None:
        """Where rst cuts the last pass; None: the run ends halted."""
        return self.cuts[-1]

    @property
    def is_reset(self) -> bool:
        """Does rst come while the run lasts?"""
        return any(cut is not None for cut in self.cuts)


def plan_run(cycles: int, stimulus: Stimulus) -> RunPlan:
    """Work out the passes of a program that takes `cycles` cycles (its cyc_total).

    A pass that starts in cycle s (0 for the first) is halted from cycle s + `cycles` + 1 on. The harness ends
    the run in the first halted or idle cycle with start low and nothing to come; a first rst that lies beyond
    that does not come, the second of a pair does.
    """
    passes = list(_passes(cycles, stimulus))
    return RunPlan(tuple(begin for begin, _ in passes), tuple(cut for _, cut in passes))


def _passes(cycles: int, stimulus: Stimulus) -> Iterator[tuple[int, int | None]]:
    pulses = reset_pulses(stimulus)
    begin: int | None = 0
    while begin is not None:
        halted = begin + cycles + 1
        restart = _next_start(halted, stimulus)
        pulse = next((first for first, _ in pulses if first > begin), None)
        second_to_come = pulse is not None and pulse != pulses[0][0]
        end = restart if restart is not None else pulse if second_to_come else halted
        if pulse is None or (end is not None and pulse > end):
            yield begin, None
            begin = restart
        else:
            yield begin, pulse - begin
            begin = _start_after_reset(pulse, pulses, stimulus)


def reset_pulses(stimulus: Stimulus) -> list[tuple[int, int]]:
    """Return the first and last cycle of each rst while the program runs."""
    if stimulus.reset_cycle is None:
        return []
    firsts = [stimulus.reset_cycle]
    if stimulus.reset_gap:
        firsts.append(stimulus.reset_cycle + stimulus.reset_width + stimulus.reset_gap)
    return [(first, first + stimulus.reset_width - 1) for first in firsts]


def _start_after_reset(pulse: int, pulses: list[tuple[int, int]], stimulus: Stimulus) -> int | None:
    """Return when the idle chip is started after the rst that begins in cycle `pulse`."""
    start: int | None = None
    for first, last in pulses:
        if first < pulse:
            continue
        if start is not None and start < first:
            return start
        start = _next_start(last + 1, stimulus)
        if start is None:
            return None
    return start


def _next_start(earliest: int, stimulus: Stimulus) -> int | None:
    """Return the first cycle from `earliest` on in which the schedule raises start."""
    if stimulus.extra_start is None or stimulus.extra_start[1] < earliest:
        return None
    return max(earliest, stimulus.extra_start[0])
