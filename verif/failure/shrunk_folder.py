"""The folder of a shrunk failure, `shrunk/` in that of the original, whose report names it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from refmodel.machine.report_lines import LABEL_WIDTH, labelled
from verif.failure.folder import REPORT_JSON, REPORT_TEXT, write_folder
from verif.failure.rerun import Rerun
from verif.failure.shrinking import NotShrunk, Shrinking, shrink_failure
from verif.simulation import Simulation

SHRUNK = "shrunk"

_LABEL, _LAST_LABEL = "  shrunk ", "  reproduce "
_CONTINUATION = " " * (LABEL_WIDTH + 2)


def shrink_into_folder(simulation: Simulation, found: Rerun, folder: Path, directory: Path) -> Shrinking:
    """Shrink a failure and write what comes of it into `folder`, which is the failure's own.

    `directory` is for simulations. Raises NotShrunk, which the folder's report then says too, and Ga2Error
    when the folder cannot be read or written.
    """
    try:
        shrinking = shrink_failure(simulation, found, directory)
    except NotShrunk as reason:
        _note(folder, {"folder": None, "sentence": str(reason)})
        raise
    report = _read(folder)
    notes = {
        "first_sign": report["first_sign"],
        "shrunk_from": {**shrinking.to_json(), "sentence": shrinking.origin},
    }
    write_folder(folder / SHRUNK, simulation, shrinking.found, notes)
    _note(folder, {"folder": SHRUNK, "sentence": str(shrinking), **shrinking.to_json()})
    return shrinking


def _note(folder: Path, shrunk: dict[str, Any]) -> None:
    """Say in both reports of a folder what its failure shrank to."""
    report = {**_read(folder), "shrunk": shrunk}
    sentence = str(shrunk["sentence"]).removeprefix(_LABEL.lstrip())
    if shrunk["folder"]:
        sentence += f"; see {shrunk['folder']}/{REPORT_TEXT}"
    try:
        text = (folder / REPORT_TEXT).read_text(encoding="utf-8")
        _replace(folder / REPORT_JSON, json.dumps(report, indent=1) + "\n")
        _replace(folder / REPORT_TEXT, _with_line(text, sentence))
    except OSError as error:
        raise Ga2Error(f"the report in {folder} cannot be rewritten: {error.strerror}") from error


def _with_line(text: str, sentence: str) -> str:
    """Return a report with the sentence above its last line, in the place of an earlier one."""
    lines: list[str] = []
    is_old = False
    for line in text.splitlines():
        is_old = line.startswith(_LABEL) or (is_old and line.startswith(_CONTINUATION))
        if not is_old:
            lines.append(line)
    last = next((at for at, line in enumerate(lines) if line.startswith(_LAST_LABEL)), len(lines))
    lines[last:last] = labelled("shrunk", sentence)
    return "\n".join([*lines, ""])


def _read(folder: Path) -> dict[str, Any]:
    try:
        report: dict[str, Any] = json.loads((folder / REPORT_JSON).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Ga2Error(f"{folder / REPORT_JSON} cannot be read: {error}") from error
    return report


def _replace(path: Path, text: str) -> None:
    """Write a file in one step."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
