"""Random graphs that hit what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from regressions.closing.aim import Attempt, Candidate, choose, predicted_bins
from regressions.closing.job import Job
from sequences.random_graphs.build import build
from sequences.random_graphs.draw import draw_plan
from verif.coverage.model import CoverageModel

MOST_GRAPHS = 800
"""Graphs that are tried on the model before a bin counts as one that resists."""


def aim_at_graphs(model: CoverageModel, missing: frozenset[int], seed: int) -> Attempt:
    """Return random graphs of which the model says that they hit what is missing."""

    def candidates() -> Iterator[Candidate]:
        for number in count(seed * MOST_GRAPHS):
            graph = build(draw_plan(number))
            yield Candidate(number, predicted_bins(model, [graph.program().bundle(graph.inputs(0))]))

    choice = choose(candidates(), missing, MOST_GRAPHS)
    job = Job("", "verilator", "random_graphs.RandomGraphTest", {"seeds": choice.keys})
    return Attempt([job] if choice.keys else [], choice.tried, choice.promised)
