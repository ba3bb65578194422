"""Random programs that hit what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from regressions.closing.aim import Attempt, Candidate, choose, predicted_bins
from regressions.closing.job import Job
from sequences.random_programs import random_program, with_predecessors
from verif.coverage.model import CoverageModel

MOST_PROGRAMS = 3000
"""Programs that are tried on the model before a bin counts as one that resists."""


def aim_at_programs(model: CoverageModel, missing: frozenset[int], seed: int) -> Attempt:
    """Return random programs of which the model says that they hit what is missing."""

    def candidates() -> Iterator[Candidate]:
        for number in count():
            program = random_program(seed, number)
            if program.scratchpad is not None:  # by itself, since others read what came before them
                yield Candidate(number, predicted_bins(model, [program.bundle()]))

    choice = choose(candidates(), missing, MOST_PROGRAMS)
    parameters = {"seed": seed, "only": list(with_predecessors(seed, choice.keys))}
    job = Job("", "verilator", "random_programs.RandomProgramTest", parameters)
    return Attempt([job] if choice.keys else [], choice.tried, choice.promised)
