"""The error that is looked for: one wrong name in a copy of the RTL."""

from __future__ import annotations

import shutil
from pathlib import Path

from verif.sim_make import REPOSITORY

RTL = REPOSITORY / "hdl" / "rtl"
FILE_LIST = "ga2.f"

FILE = "ga2_matrix_unit.sv"
RIGHT = "stride_q <= stride_b_i;"
WRONG = "stride_q <= stride_a_i;"
"""Copied from the setup of A, eleven lines above, and not changed."""


def plant(directory: Path) -> Path:
    """Write a copy of the RTL with the error into a directory, and return its file list."""
    copy_rtl(directory)
    text = (directory / FILE).read_text(encoding="utf-8")
    assert text.count(RIGHT) == 1, f"{FILE} has changed: look for another error to plant"
    (directory / FILE).write_text(text.replace(RIGHT, WRONG), encoding="utf-8")
    return directory / FILE_LIST


def repair(directory: Path) -> None:
    """Put the right file back."""
    shutil.copy(RTL / FILE, directory / FILE)


def copy_rtl(directory: Path) -> None:
    """Write a copy of the project's RTL, with a file list of its own."""
    directory.mkdir(parents=True, exist_ok=True)
    names = [path.name for path in RTL.glob("*.sv")]
    for name in names:
        shutil.copy(RTL / name, directory / name)
    listed = (RTL / FILE_LIST).read_text(encoding="utf-8")
    (directory / FILE_LIST).write_text(listed.replace("hdl/rtl/", ""), encoding="utf-8")
