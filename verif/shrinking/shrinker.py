"""Shrinking: from a failing series of programs to a smallest one that fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sequences.directed.directed_program import DirectedProgram
from verif.shrinking.budget import Budget
from verif.shrinking.pass_addresses import smaller_addresses
from verif.shrinking.pass_cut import cut
from verif.shrinking.pass_data import simpler_data
from verif.shrinking.pass_fields import simpler_operands
from verif.shrinking.pass_instructions import fewer_instructions, smaller_instructions
from verif.shrinking.pass_longer import longer_instructions
from verif.shrinking.pass_plain import plain_instructions
from verif.shrinking.pass_programs import fewer_programs, own_scratchpads
from verif.shrinking.pass_surroundings import less_around
from verif.shrinking.search import BudgetSpent, Search, Trials
from verif.shrinking.size import Series
from verif.shrinking.symptom import Symptom

PASSES: tuple[Callable[[Search], Trials[None]], ...] = (
    fewer_programs,
    cut,
    own_scratchpads,
    less_around,
    plain_instructions,
    fewer_instructions,
    longer_instructions,
    smaller_instructions,
    simpler_operands,
    smaller_addresses,
    simpler_data,
)
"""What is tried, those that gain most first; all of them again until none gains anything."""


@dataclass(frozen=True, eq=False)
class Shrunk:
    """What a search has come to."""

    steps: tuple[Series, ...]
    """Every series that was the smallest so far, in turn: the first is the original, the last the result."""
    trials: int
    cycles: int
    """What was spent, as in `Budget`."""
    complete: bool
    """False: the budget was spent before everything had been tried."""

    @property
    def series(self) -> Series:
        """The smallest that was found."""
        return self.steps[-1]


def shrink(series: Sequence[DirectedProgram], symptom: Symptom, budget: Budget) -> Trials[Shrunk]:
    """Search for a smallest series that shows a symptom of the same kind in the same unit.

    `series` begins on a fresh chip and shows `symptom`. The search yields candidates, each smaller than the
    last that was taken, and is sent what each shows. The same answers lead to the same result.
    """
    search = Search(bare(series), symptom, budget)
    complete = False
    try:
        while not complete:
            before = search.current
            for reduce in PASSES:
                yield from reduce(search)
            complete = search.current is before
    except BudgetSpent:
        pass
    return Shrunk(tuple(search.steps), search.trials, search.cycles, complete)


def bare(series: Sequence[DirectedProgram]) -> Series:
    """Return a series without what describes its programs as they were: expectations, notes, source maps."""
    return tuple(
        replace(program, bundle=replace(program.bundle, expect=None, note="", make_source_map=None))
        for program in series
    )
