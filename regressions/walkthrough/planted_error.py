"""The error that is looked for: one wrong name in a copy of the RTL."""

from __future__ import annotations

import shutil
from pathlib import Path

from verif.qualification.mutated_rtl import RTL, write_mutated_rtl

FILE = "ga2_matrix_unit.sv"
RIGHT = "stride_q <= stride_b_i;"
WRONG = "stride_q <= stride_a_i;"
"""Copied from the setup of A, ten lines above, and not changed."""


def plant(directory: Path) -> Path:
    """Write a copy of the RTL with the error into a directory, and return its file list."""
    file_list = write_mutated_rtl(directory, ())
    text = (directory / FILE).read_text(encoding="utf-8")
    assert text.count(RIGHT) == 1, f"{FILE} has changed: look for another error to plant"
    (directory / FILE).write_text(text.replace(RIGHT, WRONG), encoding="utf-8")
    return file_list


def repair(directory: Path) -> None:
    """Put the right file back."""
    shutil.copy(RTL / FILE, directory / FILE)
