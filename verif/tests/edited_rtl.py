"""Writes RTL of a user's own: the project's, with some of its text replaced."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from verif.simulation.plain_path import REPOSITORY

RTL = REPOSITORY / "hdl" / "rtl"


def write_rtl(
    directory: Path,
    *edits: tuple[str, str, str],
    options: Iterable[str] = (),
    first: str = "",
    last: str = "",
) -> str:
    """Write the edited files and a file list; return the list's path.

    An edit is a file, a text that it has exactly once, and what takes its place. `options` stand at the
    beginning of the list, and the texts `first` and `last` are compiled before and after all other files.
    """
    texts: dict[str, str] = {}
    for file, before, after in edits:
        text = texts.get(file) or (RTL / file).read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{file} does not have {before!r} exactly once"
        texts[file] = text.replace(before, after)
    texts |= {"first.sv": first, "last.sv": last}
    for file, text in texts.items():
        (directory / file).write_text(text, encoding="utf-8")
    files = [path.rpartition("/")[2] for path in (RTL / "ga2.f").read_text(encoding="utf-8").split()]
    places = [(directory if file in texts else RTL) / file for file in ("first.sv", *files, "last.sv")]
    file_list = directory / "ga2.f"
    file_list.write_text("".join(f"{each}\n" for each in (*options, *places)), encoding="utf-8")
    return str(file_list)
