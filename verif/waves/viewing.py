"""Looks at the window in a failure's folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from sequences.document import DocumentError, read_text
from verif.waves.dump import WaveDump, WaveError
from verif.waves.leaving import DUMP, OPCODES, PICTURE, SAVE, TEXT

VIEWER = "gtkwave"

_FILTER = re.compile(r"\s*\^(?!\d+ (?:\./)?" + re.escape(OPCODES) + r"$)")
"""A line of a save file that names a filter other than the opcodes' names; it could start any program."""


def read_window(folder: Path) -> str:
    """Return the text of a window whose dump is whole.

    Raises WaveError when the folder has no window, or when its dump cannot be read.
    """
    if not (folder / DUMP).is_file():
        raise WaveError(f"{folder / DUMP}: no such file; name the folder of a failure that left its waves")
    WaveDump(folder / DUMP)
    try:
        return read_text(folder / TEXT)
    except DocumentError as error:
        raise WaveError(f"{folder / TEXT} is damaged ({error.problem}); run what failed again") from error


def open_viewer(folder: Path) -> None:
    """Open a window in GTKWave and return at once. Raises WaveError when that is not possible here."""
    otherwise = f"or look at {folder / PICTURE} and {folder / TEXT}"
    if shutil.which(VIEWER) is None:
        raise WaveError(f"{VIEWER} is not installed: install the Debian package {VIEWER}, {otherwise}")
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise WaveError(
            f"{VIEWER} needs a screen, and neither DISPLAY nor WAYLAND_DISPLAY names one; {otherwise}"
        )
    _require_harmless(folder / SAVE)
    subprocess.Popen(
        [VIEWER, str(folder / DUMP), str(folder / SAVE)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _require_harmless(save: Path) -> None:
    """Refuse a save file by which GTKWave would start programs. Raises WaveError."""
    try:
        lines = read_text(save).splitlines()
    except DocumentError as error:
        raise WaveError(f"{error}; run what failed again") from error
    if any(map(_FILTER.match, lines)):
        raise WaveError(
            f"{save} names a filter other than {OPCODES}, which GTKWave might run; open {DUMP} alone"
        )
