"""Shrinks a bundle or a recorded failure, and says what came of it."""

from __future__ import annotations

import shutil
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.rtl import RtlFailure, own_directory, run_test
from regressions.soundness import require_sound
from sequences.bundle_file import load_bundle
from verif.failure.investigation import explanation_lines, seeing_lines
from verif.failure.reproduction import not_the_recorded, reproduce
from verif.failure.shrinking import NotShrunk
from verif.failure.shrunk_folder import SHRUNK, shrink_into_folder
from verif.simulation.simulation import BrokenSimulationError, SimulationTimeout
from verif.sources import SourcesError


def shrink_bundle(path: Path, simulator: str) -> list[str]:
    """Run a bundle that fails, leave its folder with the shrunk one in out/failures; return what to print.

    Raises Ga2Error for a bundle that passes or cannot be run, RtlFailure when the RTL hangs or breaks the
    simulation: its message tells what the failure shrank to.
    """
    require_sound(path, load_bundle(path))
    report = run_test(simulator, "replay.ReplayTest", {"bundles": [str(path.resolve())], "state": False})
    if report.passed:
        raise Ga2Error(f"{path} passes on {simulator}: there is nothing to shrink")
    return explanation_lines(report)


def shrink_folder(folder: Path) -> list[str]:
    """Run a folder's programs again, write FOLDER/shrunk, and return lines of text.

    Raises Ga2Error when the folder is invalid, damaged or cannot be written to, when its RTL is gone, or when
    all of them pass now; SourcesError when they pass with other sources than the recorded ones.
    """
    directory = own_directory(SHRUNK)
    lines: list[str] = []
    try:
        reproduction = reproduce(folder, directory / "original")
        other_sources = reproduction.other_sources
        if reproduction.passes and other_sources:
            raise SourcesError(f"{folder} does not fail here, and {not_the_recorded(other_sources)}")
        if reproduction.passes:
            raise Ga2Error(f"{folder} passes now: there is nothing to shrink")
        if other_sources:
            lines.append(f"it still fails, though {not_the_recorded(other_sources)}")
        if not reproduction.is_the_same:
            lines.append(
                f"ANOTHER divergence than the recorded one: {folder / SHRUNK} tells of it, {folder} does not"
            )
        line = shrink_into_folder(reproduction.simulation, reproduction.found, folder, directory, window=True)
    except NotShrunk as reason:
        return [*lines, str(reason)]
    except (BrokenSimulationError, SimulationTimeout) as error:
        raise RtlFailure(str(error)) from error
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return [*lines, line, *seeing_lines(folder / SHRUNK)]
