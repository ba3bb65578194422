"""Leaves the window of a failure in its folder: dump, save file, picture, text, and a word in the report."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from refmodel.errors import Ga2Error
from refmodel.machine.trace import Trace
from refmodel.printable import printable_lines
from verif.divergence.divergence import Divergence
from verif.failure.attempt import attempt
from verif.failure.diagnosis import Diagnosis
from verif.failure.notes import add_note
from verif.simulation.simulation import Simulation
from verif.waves.check import what_is_missing
from verif.waves.choice import window_of
from verif.waves.dump import WaveDump, WaveError
from verif.waves.save_file import opcode_filter, save_file
from verif.waves.scene import Scene
from verif.waves.text import window_text
from verif.waves.window import WaveWindow

DUMP, SAVE, PICTURE, TEXT = "window.fst", "window.gtkw", "window.png", "window.txt"
OPCODES = "opcodes.filter"
_FILES = (DUMP, OPCODES, SAVE, PICTURE, TEXT)
"""The text last: where it is, everything is."""

MISSING = "the waves are missing"


def leave_window(simulation: Simulation, diagnosis: Diagnosis | None, folder: Path, directory: Path) -> str:
    """Run a folder's programs once more, dump the window of the divergence and say so in the report.

    `directory` is for that simulation. Returns why there are no waves, or why the report does not name them;
    nothing if all is there, or if nothing diverges.
    """
    if diagnosis is None or diagnosis.divergence is None or diagnosis.trace is None:
        return ""
    divergence, trace, start = diagnosis.divergence, diagnosis.trace, diagnosis.start
    problem, told_otherwise = attempt(
        lambda: _leave(simulation, divergence, trace, start, folder, directory), MISSING, folder
    )
    return problem or told_otherwise


def _leave(
    simulation: Simulation, divergence: Divergence, trace: Trace, start: int, folder: Path, directory: Path
) -> str:
    """Leave a window in a folder, and a note in its report. Raises Ga2Error when that cannot be rewritten."""
    window = window_of(trace, divergence, start)

    def leave() -> str:
        dump = dump_window(simulation, folder, window, directory)
        scene = Scene(WaveDump(dump), window, divergence, trace)
        _write_views(scene, directory)
        _move(directory, folder)
        return f"cycles {window.first}..{max(scene.edges)} in {DUMP}; {SAVE} for GTKWave, {PICTURE}, {TEXT}"

    line, problem = attempt(leave, MISSING, folder)
    values = {**window.to_json(), "file": None if problem else DUMP, "error": problem or None}
    add_note(folder, "waves", line or problem, values)
    return problem


def has_window(folder: Path) -> bool:
    """Did a failure leave its window?"""
    return (folder / TEXT).is_file()


def dump_window(simulation: Simulation, folder: Path, window: WaveWindow, directory: Path) -> Path:
    """Run the programs of a folder as the failing simulation did, and dump a window of the last.

    `directory` is for that simulation; returns the dump, which is in it and may be cut short. Raises what
    `Simulation.run` raises, and Ga2Error when the bench fails; that the chip does is no error.
    """
    dump = directory / DUMP
    report = replace(
        simulation,
        test="traced.TracedTest",
        run_directory=directory,
        parameters={"series": str(folder.resolve()), "window": window.to_json()},
        waves=dump,
        waves_scope="window",
        coverage=False,
        code_coverage=False,
    ).run()
    if report.error_kind in ("internal", "input"):
        raise Ga2Error(f"running it for them failed: {report.error.strip().rpartition(chr(10))[2]}")
    return dump


def _move(directory: Path, folder: Path) -> None:
    """Move a window to its folder, whole or not at all. Raises WaveError when there is no room, say."""
    try:
        for name in _FILES:
            shutil.move(directory / name, folder / name)
    except BaseException as reason:
        for name in _FILES:
            (folder / name).unlink(missing_ok=True)
        if isinstance(reason, OSError):
            raise WaveError(f"{folder} cannot be written: {reason.strerror}") from reason
        raise


def _write_views(scene: Scene, directory: Path) -> None:
    """Write what shows a scene. Raises WaveError when its dump does not show the divergence."""
    from verif.waves.picture import window_picture

    missing = what_is_missing(scene)
    if missing is not None:
        raise WaveError(f"{DUMP} does not show the divergence: {missing}")
    (directory / OPCODES).write_text(opcode_filter(), encoding="utf-8")
    (directory / SAVE).write_text(save_file(scene, SAVE, OPCODES), encoding="utf-8")
    (directory / PICTURE).write_bytes(window_picture(scene))
    (directory / TEXT).write_text(printable_lines(window_text(scene)), encoding="utf-8")
