"""Fewer programs: which of those before the one that fails are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult, WordArray
from sequences.directed.directed_program import DirectedProgram
from verif.scoreboard.expected_run import expected_run
from verif.shrinking.draft import trimmed
from verif.shrinking.reduction import fewer
from verif.shrinking.search import Search, Trials
from verif.shrinking.size import Series


def fewer_programs(search: Search) -> Trials[None]:
    """Leave programs out; one that then lacks what they left in the scratchpad brings it along."""
    series = search.current
    states = list(_states_before(series))

    def attempt(kept: Sequence[int]) -> Trials[bool]:
        positions = [*kept, len(series) - 1]
        return search.attempt(
            tuple(
                series[position] if rank == position else with_scratchpad(series[position], states[position])
                for rank, position in enumerate(positions)
            )
        )

    yield from fewer(range(len(series) - 1), attempt)


def own_scratchpads(search: Search) -> Trials[None]:
    """Give every program a scratchpad image, so that nothing depends on what was there before."""
    series = search.current
    states = list(_states_before(series))
    every = tuple(with_scratchpad(*pair) for pair in zip(series, states, strict=True))
    if (yield from search.attempt(every)):
        return
    for position in reversed(range(len(series))):
        yield from search.attempt_program(position, every[position])


def with_scratchpad(program: DirectedProgram, before: RunResult | None) -> DirectedProgram:
    """Return a program with a scratchpad image of its own: what the model's held, undefined words as 0."""
    if program.bundle.scratchpad is not None:
        return program
    words: WordArray = np.zeros(0, np.uint32)
    if before is not None:
        words = trimmed(np.where(before.defined, before.scratchpad, 0))
    return replace(program, bundle=replace(program.bundle, scratchpad=words))


def _states_before(series: Series) -> Iterator[RunResult | None]:
    """Yield the model's state before each program, None for the first."""
    machine, result = Machine(), None
    for program in series:
        yield result
        result = expected_run(machine, program.bundle, program.stimulus).result
