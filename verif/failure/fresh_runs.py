"""Trials in simulations of their own: dear, but each candidate finds the chip as it is after power-up."""

from __future__ import annotations

from pathlib import Path

from verif.failure.rerun import Rerun, rerun
from verif.shrinking.budget import Budget
from verif.shrinking.search import answered
from verif.shrinking.shrinker import shrink
from verif.shrinking.size import Series
from verif.shrinking.symptom import Symptom
from verif.simulation.simulation import BrokenSimulationError, Simulation, SimulationTimeout

FRESH_RUNS = 6
"""Simulations that may be started to shrink one failure."""


class FreshRuns:
    """Runs of candidates in simulations of their own, as many as there may be."""

    def __init__(
        self, simulation: Simulation, symptom: Symptom, directory: Path, original: Rerun, cycles: int
    ) -> None:
        """Begin with a failure that shows `symptom`; `cycles` is the budget of `shrink`."""
        self.best = original
        """The smallest that fails in a simulation of its own."""
        self._cycles = cycles
        self._simulation = simulation
        self._symptom = symptom
        self._directory = directory
        self._left = FRESH_RUNS

    def verify(self, steps: list[Series]) -> None:
        """Take the last step that holds, if all up to one do: the last is tried, then the gap is halved."""
        holds, fails = 0, len(steps)
        middle = fails - 1
        while middle > holds and self._left:
            if self._try(steps[middle]):
                holds = middle
            else:
                fails = middle
            middle = (holds + fails) // 2

    def shrink(self) -> int:
        """Search on from the best with what is left of the runs; return how many it took."""
        budget = Budget(self._left, self._cycles)
        symptom = symptom_of(self.best)
        assert symptom is not None, "the best shows what the original shows"
        shrunk = answered(shrink(self.best.series, symptom, budget), self._try)
        return shrunk.trials

    def _try(self, series: Series) -> Symptom | None:
        """Run a series; it is the best so far if it fails as it must. Raises Ga2Error when it cannot run."""
        self._left -= 1
        try:
            found = rerun(self._simulation, series, self._directory / f"alone-{FRESH_RUNS - self._left}")
        except (BrokenSimulationError, SimulationTimeout):
            return None  # by an assertion of the chip's, say: not the same failure
        symptom = symptom_of(found)
        if symptom is None or not symptom.is_like(self._symptom):
            return None
        self.best = found
        return symptom


def symptom_of(found: Rerun) -> Symptom | None:
    """Return what the last program shows; None if nothing differs, or if an earlier one fails already."""
    last = found.series[-1].name
    earlier = {program.name for program in found.series[:-1]} - {last}
    if any(mismatch.program in earlier for mismatch in found.report.mismatches):
        return None
    divergence = found.diagnosis.divergence if found.diagnosis else None
    return None if divergence is None else Symptom.of(divergence)
