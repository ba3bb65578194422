"""Shrinks a bundle or a recorded failure, and says what came of it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from regressions.rtl import RtlFailure, own_directory, run_test
from regressions.soundness import require_sound
from sequences.bundle_file import load_bundle
from verif.failure.folder import repository_command
from verif.failure.investigation import explanation_lines
from verif.failure.reproduction import reproduce
from verif.failure.shrinking import NotShrunk
from verif.failure.shrunk_folder import SHRUNK, shrink_into_folder
from verif.simulation import BrokenSimulationError, SimulationTimeout


@dataclass(frozen=True)
class ShrinkReport:
    """What became of it."""

    fails: bool
    """False: it passes, so there is nothing to shrink."""
    lines: tuple[str, ...]
    """For people."""


def shrink_bundle(path: Path, simulator: str) -> ShrinkReport:
    """Run a bundle; if it fails, leave a folder in out/failures with the shrunk one in it.

    Raises Ga2Error for a bundle that cannot be run, RtlFailure when the RTL hangs or breaks the simulation:
    its message tells what the failure shrank to.
    """
    require_sound(path, load_bundle(path))
    report = run_test(simulator, "replay.ReplayTest", {"bundles": [str(path.resolve())], "state": False})
    if report.passed:
        return ShrinkReport(False, (f"{path} passes on {simulator}: there is nothing to shrink",))
    return ShrinkReport(True, tuple(explanation_lines(report)))


def shrink_folder(folder: Path) -> ShrinkReport:
    """Run a folder's programs again, and if they still fail, write FOLDER/shrunk.

    Raises Ga2Error when the folder is none, damaged or cannot be written to, or when its RTL is gone.
    """
    directory = own_directory(SHRUNK)
    try:
        reproduction = reproduce(folder, directory / "original")
    except (BrokenSimulationError, SimulationTimeout) as error:
        raise RtlFailure(str(error)) from error
    if reproduction.passes:
        return ShrinkReport(False, (f"{folder} passes now: there is nothing to shrink",))
    try:
        shrinking = shrink_into_folder(reproduction.simulation, reproduction.found, folder, directory)
    except NotShrunk as reason:
        return ShrinkReport(True, (str(reason),))
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    command = repository_command("reproduce", folder / SHRUNK)
    return ShrinkReport(True, (str(shrinking), f"see it: {command}"))
