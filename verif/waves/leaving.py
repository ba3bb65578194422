"""Leaves the window of a failure in its folder: dump, save file, picture, text, and a word in the report."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

from refmodel.errors import Ga2Error
from refmodel.machine.report_lines import labelled
from verif.failure.diagnosis import Diagnosis
from verif.failure.folder import REPORT_JSON, REPORT_TEXT
from verif.simulation import Simulation
from verif.waves.check import what_is_missing
from verif.waves.choice import window_of
from verif.waves.dump import WaveDump, WaveError
from verif.waves.save_file import opcode_filter, save_file
from verif.waves.scene import Scene
from verif.waves.text import window_text
from verif.waves.window import WaveWindow

DUMP, SAVE, PICTURE, TEXT = "window.fst", "window.gtkw", "window.png", "window.txt"
OPCODES = "opcodes.filter"


def leave_window(simulation: Simulation, diagnosis: Diagnosis | None, folder: Path) -> str:
    """Run a folder's programs once more, dump the window of the divergence and say so in the report.

    Returns why there are no waves; nothing if they are there, or if nothing diverges.
    """
    if diagnosis is None or diagnosis.divergence is None or diagnosis.trace is None:
        return ""
    window = window_of(diagnosis.trace, diagnosis.divergence, diagnosis.start)
    try:
        dump_window(simulation, folder, window)
        scene = Scene(WaveDump(folder / DUMP), window, diagnosis.divergence, diagnosis.trace)
        missing = what_is_missing(scene)
        if missing is not None:
            raise WaveError(f"{DUMP} does not show the divergence: {missing}")
        _write_views(scene, folder)
    except (Ga2Error, OSError) as error:
        problem = f"the waves are missing: {error}"
        _report(folder, problem, {**window.to_json(), "file": None, "error": str(error)})
        return problem
    line = f"cycles {window.first}..{max(scene.edges)} in {DUMP}; {SAVE} for GTKWave, {PICTURE}, {TEXT}"
    _report(folder, line, {**window.to_json(), "file": DUMP, "error": None})
    return ""


def has_window(folder: Path) -> bool:
    """Did a failure leave its window?"""
    return (folder / TEXT).is_file()


def dump_window(simulation: Simulation, folder: Path, window: WaveWindow) -> None:
    """Run the programs of a folder as the failing simulation did, and dump a window of the last into it.

    Raises what `Simulation.run` raises, and Ga2Error when the bench fails; that the chip does is no error.
    """
    directory = simulation.run_directory
    report = replace(
        simulation,
        test="traced.TracedTest",
        run_directory=directory.with_name(f"{directory.name}-waves"),
        parameters={"series": str(folder.resolve()), "window": window.to_json()},
        waves=folder / DUMP,
        waves_scope="window",
        coverage=False,
    ).run()
    if report.error_kind in ("internal", "input"):
        raise Ga2Error(f"running it for them failed: {report.error.strip().rpartition(chr(10))[2]}")


def _write_views(scene: Scene, folder: Path) -> None:
    from verif.waves.picture import window_picture

    (folder / OPCODES).write_text(opcode_filter(), encoding="utf-8")
    (folder / SAVE).write_text(save_file(scene, folder / OPCODES), encoding="utf-8")
    (folder / TEXT).write_text(window_text(scene), encoding="utf-8")
    (folder / PICTURE).write_bytes(window_picture(scene))


def _report(folder: Path, line: str, found: dict[str, object]) -> None:
    """Add the waves to both reports, each whole or not at all; a folder that is gone is no matter here."""
    text = (folder / REPORT_TEXT).read_text(encoding="utf-8")
    report = json.loads((folder / REPORT_JSON).read_text(encoding="utf-8"))
    added = "\n".join(labelled("waves", line))
    _replace(folder / REPORT_TEXT, f"{text}{added}\n")
    _replace(folder / REPORT_JSON, json.dumps({**report, "waves": found}, indent=1) + "\n")


def _replace(path: Path, text: str) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)
