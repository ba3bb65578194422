"""Tries many mutants in one simulation: its build holds them all, and the bench selects one after another."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence

from refmodel.errors import Ga2Error
from verif.qualification.generated.trial import AnyMutant, Fate, Trial
from verif.simulation.simulation import BrokenSimulationError, Simulation, SimulationTimeout

TEST = "mutants.MutantsTest"

BATCH = 256
"""Mutants in one simulation: its start and its control pass cost as much as forty that are killed."""

MakeSimulation = Callable[[Mapping[str, int]], Simulation]
"""Returns the simulation of `TEST` for mutants by name, with the numbers that select them."""


def batches(mutants: Sequence[AnyMutant], workers: int) -> list[Sequence[AnyMutant]]:
    """Return mutants in batches for so many workers; neighbours, which die alike, go to different ones."""
    count = -(-len(mutants) // BATCH)
    count = min(len(mutants), -(-count // workers) * workers)
    return [mutants[first::count] for first in range(count)]


def try_together(
    mutants: Sequence[AnyMutant], numbers: Mapping[str, int], make_simulation: MakeSimulation
) -> list[Trial[AnyMutant]]:
    """Return what became of each mutant of a batch.

    A simulation that breaks says nothing of the other mutants: they are tried again in two halves. Raises
    Ga2Error if programs fail with no mutant awake, since nothing follows then.
    """
    simulation = make_simulation({mutant.name: numbers[mutant.name] for mutant in mutants})
    try:
        report = simulation.run()
    except (BrokenSimulationError, SimulationTimeout) as error:
        if len(mutants) == 1:
            return [Trial(mutants[0], simulation.simulator, Fate.ERROR, TEST, str(error))]
        halves = (mutants[0::2], mutants[1::2])
        return [trial for half in halves for trial in try_together(half, numbers, make_simulation)]
    if not report.passed:
        raise Ga2Error(
            f"{simulation.simulator}: programs fail with no mutant awake, so nothing follows: "
            f"{report.first_wrong}"
        )
    shutil.rmtree(simulation.run_directory)
    fates = report.payload["mutants"]
    return [
        Trial(mutant, simulation.simulator, Fate[fate.upper()], by, detail)
        for mutant in mutants
        for fate, by, detail in [fates[mutant.name]]
    ]
