"""The cheapest sets that together hold everything that all of them hold: the set cover problem, exactly.

HiGHS solves it: a 0/1 variable a set, one constraint an element (the sets that hold it sum to at least 1),
and the sum of costs as the objective. Elements with the same sets share a constraint.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from typing import Any

import highspy

from verif.coverage.errors import CoverageError


class _SilentSolver(highspy.Highs):
    """HiGHS prints its banner while it is constructed, when its callbacks are enabled; it is told not to."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def enableCallbacks(self) -> None:  # noqa: N802 -- its name for it
        """Silence it first."""
        self.silent()
        super().enableCallbacks()  # type: ignore[no-untyped-call]


def cheapest_cover(
    sets: Sequence[Set[int]],
    costs: Sequence[float] | None = None,
    groups: Sequence[Hashable] | None = None,
    group_cost: float = 0.0,
) -> list[int]:
    """Return the positions of the sets to take, ascending.

    Without costs each set costs 1. With groups, the first set taken from a group costs `group_cost` more.
    """
    holders: dict[int, list[int]] = {}
    for position, elements in enumerate(sets):
        for element in elements:
            holders.setdefault(element, []).append(position)
    constraints = sorted({tuple(positions) for positions in holders.values()})
    if not constraints:
        return []
    solver = _SilentSolver()
    solver.setOptionValue("threads", 1)
    taken = [solver.addBinary(obj=cost) for cost in costs or [1.0] * len(sets)]
    opened: dict[Hashable, Any] = {}
    for position, group in enumerate(groups or ()):
        if group not in opened:
            opened[group] = solver.addBinary(obj=group_cost)
        solver.addConstr(taken[position] <= opened[group])
    for positions in constraints:
        solver.addConstr(solver.qsum([taken[position] for position in positions]) >= 1)
    solver.minimize()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise CoverageError("no smallest set was found; that is an error of the solver")
    return [position for position, variable in enumerate(taken) if solver.val(variable) > 0.5]
