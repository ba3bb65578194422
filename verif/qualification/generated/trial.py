"""Tries a mutant, whoever made it: simulation after simulation, until the bench finds something wrong."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from refmodel.errors import Ga2Error
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.mutant import Mutant
from verif.run_report import RunReport
from verif.simulation.simulation import Simulation

AnyMutant = TypeVar("AnyMutant", GeneratedMutant, Mutant)


class Fate(Enum):
    """What became of a mutant; the value says it for people."""

    KILLED = "killed"
    """A comparison or a check of the harness failed, or the chip hung."""
    SURVIVED = "SURVIVED"
    """Every simulation passed."""
    PROVED = "equivalent, proved"
    """No program kills it, and a solver shows that none can (verif/proofs/equivalence.py)."""
    ERROR = "error"
    """Nothing was concluded: a simulation broke, or the bench itself did."""


@dataclass(frozen=True)
class Trial(Generic[AnyMutant]):
    """The outcome for one mutant."""

    mutant: AnyMutant
    simulator: str
    fate: Fate
    by: str = ""
    """The simulation that decided it; empty if all passed."""
    detail: str = ""
    """The first thing that was wrong."""


def try_mutant(
    mutant: AnyMutant, simulator: str, simulations: Iterable[tuple[str, Simulation]]
) -> Trial[AnyMutant]:
    """Run simulations, each with its name, of the copy in which the mutant is awake, until one fails."""
    for name, simulation in simulations:
        try:
            report = simulation.run()
        except Ga2Error as error:
            return Trial(mutant, simulator, Fate.ERROR, name, str(error))
        if _found_wrong(report):
            shutil.rmtree(simulation.run_directory)
            return Trial(mutant, simulator, Fate.KILLED, name, report.first_wrong)
        if not report.passed:
            return Trial(mutant, simulator, Fate.ERROR, name, report.error or "nothing was compared")
        shutil.rmtree(simulation.run_directory)
    return Trial(mutant, simulator, Fate.SURVIVED)


def _found_wrong(report: RunReport) -> bool:
    """Did the bench find the chip wrong, and stay whole itself?"""
    if report.error_kind is not None:
        return report.error_kind == "hang"
    return bool(report.mismatches) and report.comparisons > 0
