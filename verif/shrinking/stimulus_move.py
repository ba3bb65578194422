"""Moves resets and extra starts along with the instructions that they met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from refmodel.machine.decoded_program import DecodedProgram
from sequences.stimulus import Stimulus


def moved_stimulus(
    stimulus: Stimulus, before: DecodedProgram, after: DecodedProgram, origins: Sequence[int]
) -> Stimulus:
    """Return the stimulus for a program of which some instructions are left out or take another time.

    `origins` gives for each instruction of `after`, ascending, which one of `before` it was.
    """
    reset_cycle, extra_start = stimulus.reset_cycle, stimulus.extra_start
    if reset_cycle is not None:
        reset_cycle = _moved(reset_cycle, before, after, origins)
    if extra_start is not None:
        first, last = (_moved(cycle, before, after, origins) for cycle in extra_start)
        extra_start = (first, last)
    return replace(stimulus, reset_cycle=reset_cycle, extra_start=extra_start)


def _moved(cycle: int, before: DecodedProgram, after: DecodedProgram, origins: Sequence[int]) -> int:
    """Return the cycle at the same distance from the beginning of the same instruction, at most its last.

    Where the instruction is left out, it is the first of the next; what comes after the end stays as far
    behind it.
    """
    end_before, end_after = before.counters.cyc_total, after.counters.cyc_total
    if cycle > end_before:
        return end_after + cycle - end_before
    index = int(np.searchsorted(before.last_cycles, cycle))
    distance = cycle - (int(before.last_cycles[index - 1]) if index else 0)
    new_index = int(np.searchsorted(origins, index))
    begin = int(after.last_cycles[new_index - 1]) if new_index else 0
    if index < len(before.last_cycles) and index not in origins:
        return begin + 1
    last = int(after.last_cycles[new_index]) if new_index < len(after.last_cycles) else end_after
    return begin + min(distance, last - begin)
