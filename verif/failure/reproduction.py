"""Runs the failure of a folder again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from sequences.program_list_file import load_programs
from verif.divergence.divergence import Divergence
from verif.divergence.report import divergence_json
from verif.failure.folder import REPORT_JSON, RTL_VARIABLES
from verif.failure.rerun import Rerun, rerun
from verif.simulation import Simulation


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A recorded failure and its programs' run of today."""

    recorded: dict[str, Any]
    """The folder's report.json."""
    found: Rerun

    @property
    def divergence(self) -> Divergence | None:
        """What diverges first today."""
        return self.found.diagnosis.divergence if self.found.diagnosis else None

    @property
    def is_the_same(self) -> bool:
        """Does the same event differ in the same way?"""
        today = self.divergence
        if today is None:
            return self.found.fails and self.recorded["kind"] is None
        return bool(divergence_json(today).items() <= self.recorded.items())


def reproduce(folder: Path, directory: Path) -> Reproduction:
    """Run a folder's programs on the chip that it names, in a directory for the simulation.

    Raises Ga2Error when the folder is none or damaged, and what `Simulation.run` raises.
    """
    recorded = _read(folder)
    chip = [recorded["chip"].get(name) for name in RTL_VARIABLES]
    simulation = Simulation(
        simulator=recorded["simulator"],
        test="traced.TracedTest",
        run_directory=directory,
        seed=recorded["seed"],
        rtl=chip[0],
        scratchpad=chip[1],
        scratchpad_write=chip[2],
        plusargs=tuple(recorded["plusargs"]),
    )
    return Reproduction(recorded, rerun(simulation, load_programs(folder), directory))


def _read(folder: Path) -> dict[str, Any]:
    path = folder / REPORT_JSON
    try:
        recorded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Ga2Error(f"{path}: {error.strerror}; name the folder that a failure left") from error
    except ValueError as error:
        raise Ga2Error(f"{path} is damaged ({error}); run what failed again") from error
    missing = {"simulator", "seed", "chip", "plusargs", "kind"} - set(recorded)
    if missing:
        raise Ga2Error(f"{path} lacks {', '.join(sorted(missing))}; run what failed again")
    return recorded
