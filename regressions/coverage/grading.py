"""The smallest set of runs that hits every bin that all runs together hit.

That is the set cover problem. HiGHS solves it exactly: a 0/1 variable a run, one constraint a bin (its runs
sum to at least 1), and the number of runs as the objective. Bins with the same runs share a constraint.
"""

from __future__ import annotations

from collections.abc import Mapping

import highspy

from regressions.coverage.graded_run import GradedRun
from verif.coverage.database import CoverageDatabase
from verif.coverage.errors import CoverageError
from verif.coverage.run_identity import RunIdentity


class _SilentSolver(highspy.Highs):
    """HiGHS prints its banner while it is constructed, when its callbacks are enabled; it is told not to."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def enableCallbacks(self) -> None:  # noqa: N802 -- its name for it
        """Silence it first."""
        self.silent()
        super().enableCallbacks()  # type: ignore[no-untyped-call]


def grade(database: CoverageDatabase) -> list[GradedRun]:
    """Return a smallest set of runs with the coverage of all, the run that adds most first.

    Which of several such sets depends on the runs alone, not on the order of merging.
    """
    runs = database.counting
    hits = {run: frozenset(database.passed[run].bins) for run in runs}
    chosen = _smallest_cover(runs, hits)
    graded: list[GradedRun] = []
    covered: frozenset[int] = frozenset()
    while chosen:
        best = max(chosen, key=lambda run: len(hits[run] - covered))
        graded.append(GradedRun(best, len(hits[best]), len(hits[best] - covered)))
        covered |= hits[best]
        chosen.remove(best)
    return graded


def _smallest_cover(runs: list[RunIdentity], hits: Mapping[RunIdentity, frozenset[int]]) -> list[RunIdentity]:
    hit_by: dict[int, list[int]] = {}
    for number, run in enumerate(runs):
        for bin_number in hits[run]:
            hit_by.setdefault(bin_number, []).append(number)
    constraints = sorted({tuple(numbers) for numbers in hit_by.values()})
    if not constraints:
        return []
    solver = _SilentSolver()
    solver.setOptionValue("threads", 1)
    taken = [solver.addBinary(obj=1.0) for _ in runs]
    for numbers in constraints:
        solver.addConstr(solver.qsum([taken[number] for number in numbers]) >= 1)
    solver.minimize()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise CoverageError("no smallest set of runs was found; that is an error of the solver")
    return [run for run, variable in zip(runs, taken, strict=True) if solver.val(variable) > 0.5]
