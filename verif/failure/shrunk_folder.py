"""The folder of a shrunk failure, `shrunk/` in that of the original, whose report names it."""

from __future__ import annotations

import shutil
from pathlib import Path

from verif.failure.folder import REPORT_TEXT, chip_settings, write_folder
from verif.failure.notes import add_note
from verif.failure.recorded import read_report
from verif.failure.rerun import Rerun
from verif.failure.shrinking import NotShrunk, Shrinking, shrink_failure
from verif.simulation.simulation import Simulation
from verif.sources import source_digests, unchanged_sources
from verif.waves.leaving import leave_window

SHRUNK = "shrunk"


def shrink_into_folder(
    simulation: Simulation, found: Rerun, folder: Path, directory: Path, *, window: bool
) -> str:
    """Shrink a failure, write what comes of it into `folder`, which is the failure's own, and return a line.

    With `window` the shrunk one has its waves too. `directory` is for simulations. Raises NotShrunk, which
    the folder's report then says too and for which an earlier shrunk one is removed, and Ga2Error when the
    folder cannot be read or written, or when the sources change meanwhile.
    """
    try:
        chip = chip_settings(simulation)
        with unchanged_sources(source_digests(chip), chip):
            shrinking = shrink_failure(simulation, found, directory)
    except NotShrunk as reason:
        shutil.rmtree(folder / SHRUNK, ignore_errors=True)  # of an earlier search: of other RTL, say
        line = f"no: {str(reason).removeprefix(f'it is not {SHRUNK}: ')}"
        add_note(folder, SHRUNK, line, {"folder": None, "sentence": str(reason)})
        raise
    _write(simulation, shrinking, folder)
    sentence = str(shrinking)
    line = f"{sentence.removeprefix(f'{SHRUNK} ')}; see {SHRUNK}/{REPORT_TEXT}"
    add_note(folder, SHRUNK, line, {"folder": SHRUNK, "sentence": sentence, **shrinking.to_json()})
    if not window:
        return sentence
    problem = leave_window(simulation, shrinking.found.diagnosis, folder / SHRUNK, directory / "waves")
    return "; ".join(filter(None, [sentence, problem]))


def _write(simulation: Simulation, shrinking: Shrinking, folder: Path) -> None:
    notes = {
        "first_sign": read_report(folder)["first_sign"],
        "shrunk_from": {
            **shrinking.to_json(),
            "sentence": shrinking.origin,
            "source_map": shrinking.lost_source_map,
        },
    }
    write_folder(folder / SHRUNK, simulation, shrinking.found, notes)
