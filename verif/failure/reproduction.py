"""Runs the failure of a folder again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from sequences.program_list_file import load_programs
from verif.divergence.divergence import Divergence
from verif.divergence.report import divergence_json
from verif.failure.folder import chip_settings
from verif.failure.recorded import read_report
from verif.failure.rerun import Rerun, rerun
from verif.simulation.chip import RTL_VARIABLES
from verif.simulation.file_list import words_of
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.simulation import Simulation, SimulationError, SimulationTimeout
from verif.sources import changed_sources, source_digests, unchanged_sources


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A recorded failure and its programs' run of today."""

    recorded: dict[str, Any]
    """The folder's report.json."""
    simulation: Simulation
    """The settings with which they ran."""
    found: Rerun
    other_sources: str
    """Which sources are not the recorded ones, by area; empty if all are."""

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
    """Run a folder's programs on the chip of RTL=, or else on the recorded one, in a directory of their own.

    Raises Ga2Error when the folder is invalid or damaged, what `Simulation.run` raises, and SourcesError when
    the sources change meanwhile.
    """
    recorded = read_report(folder)
    simulation = _simulation(recorded, directory)
    if not os.environ.get("RTL"):
        _require_rtl_elsewhere(folder, simulation)
    chip = chip_settings(simulation)
    sources = source_digests(chip)
    other_sources = changed_sources(recorded["sources"], sources)
    try:
        with unchanged_sources(sources, chip):
            found = rerun(simulation, load_programs(folder), directory)
    except (SimulationError, SimulationTimeout) as error:
        if not other_sources:
            raise
        raise type(error)(f"{error}; {not_the_recorded(other_sources)}") from error
    return Reproduction(recorded, simulation, found, other_sources)


def not_the_recorded(other_sources: str) -> str:
    """Return a sentence about `Reproduction.other_sources`."""
    return f"the sources are not those that failed: {other_sources}; RTL= chooses the RTL to try"


def _require_rtl_elsewhere(folder: Path, simulation: Simulation) -> None:
    """Refuse RTL that a folder brings along: a simulator would run it with the user's rights.

    Raises Ga2Error.
    """
    for word in words_of(f"{simulation.rtl or ''} {simulation.mirrors or ''}"):
        if (REPOSITORY / word).resolve().is_relative_to(folder.resolve()):
            raise Ga2Error(
                f"{word}: RTL inside the failure's folder is not run; read it, then name it with RTL="
            )


def _simulation(recorded: dict[str, Any], directory: Path) -> Simulation:
    # Empty where nothing says it: what the environment says of other RTL is not what failed.
    settings = os.environ if os.environ.get("RTL") else recorded["chip"]
    chip = [settings.get(name, "") for name in RTL_VARIABLES]
    return Simulation(
        simulator=recorded["simulator"],
        test="traced.TracedTest",
        run_directory=directory,
        seed=recorded["seed"],
        rtl=chip[0],
        scratchpad=chip[1],
        scratchpad_write=chip[2],
        scratchpad_read=chip[3],
        mirrors=chip[4],
        plusargs=tuple(recorded["plusargs"]),
    )
