"""The smallest set of runs that hits every bin that all runs together hit."""

from __future__ import annotations

from regressions.coverage.graded_run import GradedRun
from regressions.coverage.set_cover import cheapest_cover
from verif.coverage.database import CoverageDatabase


def grade(database: CoverageDatabase) -> list[GradedRun]:
    """Return a smallest set of runs with the coverage of all, the run that adds most first.

    Which of several such sets depends on the runs alone, not on the order of merging.
    """
    runs = database.counting
    hits = {run: frozenset(database.passed[run].bins) for run in runs}
    chosen = [runs[position] for position in cheapest_cover([hits[run] for run in runs])]
    graded: list[GradedRun] = []
    covered: frozenset[int] = frozenset()
    while chosen:
        best = max(chosen, key=lambda run: len(hits[run] - covered))
        graded.append(GradedRun(best, len(hits[best]), len(hits[best] - covered)))
        covered |= hits[best]
        chosen.remove(best)
    return graded
