"""Runs the failure of a folder again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sequences.program_list_file import load_programs
from verif.divergence.divergence import Divergence
from verif.divergence.report import divergence_json
from verif.failure.folder import RTL_VARIABLES
from verif.failure.recorded import read_report
from verif.failure.rerun import Rerun, rerun
from verif.simulation.simulation import Simulation


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A recorded failure and its programs' run of today."""

    recorded: dict[str, Any]
    """The folder's report.json."""
    simulation: Simulation
    """The settings with which they ran."""
    found: Rerun

    @property
    def divergence(self) -> Divergence | None:
        """What diverges first today."""
        return self.found.diagnosis.divergence if self.found.diagnosis else None

    @property
    def passes(self) -> bool:
        """Did all programs run to their ends, those before the failing one too, with nothing wrong?"""
        return self.found.report.passed and not self.found.fails

    @property
    def is_the_same(self) -> bool:
        """Does the same event differ in the same way?"""
        today = self.divergence
        if today is None:
            return self.found.fails and self.recorded["kind"] is None
        found = divergence_json(today)
        del found["service"]  # `source` says as much, and older folders lack it
        return bool(found.items() <= self.recorded.items())


def reproduce(folder: Path, directory: Path) -> Reproduction:
    """Run a folder's programs on the chip that it names, in a directory for the simulation.

    Raises Ga2Error when the folder is none or damaged, and what `Simulation.run` raises.
    """
    recorded = read_report(folder)
    simulation = _simulation(recorded, directory)
    return Reproduction(recorded, simulation, rerun(simulation, load_programs(folder), directory))


def _simulation(recorded: dict[str, Any], directory: Path) -> Simulation:
    # Empty where none is recorded: what the environment says of the chip is not what failed.
    chip = [recorded["chip"].get(name, "") for name in RTL_VARIABLES]
    return Simulation(
        simulator=recorded["simulator"],
        test="traced.TracedTest",
        run_directory=directory,
        seed=recorded["seed"],
        rtl=chip[0],
        scratchpad=chip[1],
        scratchpad_write=chip[2],
        mirrors=chip[3],
        plusargs=tuple(recorded["plusargs"]),
    )
