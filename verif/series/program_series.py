"""Series of programs that run one after another on one chip, cut so that they can begin on a fresh one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from refmodel.machine.machine import Machine, UninitializedRead
from refmodel.machine.result import RunResult
from sequences.directed.directed_program import DirectedProgram
from verif.scoreboard.expected_run import expected_run


def state_after(series: Sequence[DirectedProgram]) -> RunResult | None:
    """Return the model's result of the last program of a series; None for an empty one."""
    machine, result = Machine(), None
    for program in series:
        result = expected_run(machine, program.bundle, program.stimulus).result
    return result


def self_contained(
    series: Sequence[DirectedProgram], before: RunResult | None
) -> tuple[DirectedProgram, ...]:
    """Return a series that does the same on a fresh chip as the one given does after `before`.

    Where it reads words that only `before` has written, its first program brings the scratchpad along.
    Otherwise nothing changes, so that what depends on words that nobody has written still does.
    """
    machine = Machine(strict=True)
    try:
        for program in series:
            expected_run(machine, program.bundle, program.stimulus)
    except UninitializedRead:
        if before is not None and series[0].bundle.scratchpad is None:
            words = np.where(before.defined, before.scratchpad, 0).astype(np.uint32)
            bundle = replace(series[0].bundle, scratchpad=words)
            return (replace(series[0], bundle=bundle), *series[1:])
    return tuple(series)


def last_programs(series: Sequence[DirectedProgram], count: int) -> tuple[DirectedProgram, ...]:
    """Return the last `count` programs of a series, self-contained."""
    return self_contained(series[-count:], state_after(series[:-count]))
