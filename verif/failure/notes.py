"""Adds to the reports of a failure's folder what is known later: its waves, and what it shrank to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from refmodel.machine.report_lines import LABEL_WIDTH, labelled
from refmodel.printable import printable_lines
from verif.failure.folder import REPORT_JSON, REPORT_TEXT
from verif.failure.recorded import read_report

_LAST_LABEL = "  reproduce "
_CONTINUATION = " " * (LABEL_WIDTH + 2)


def add_note(folder: Path, name: str, sentence: str, values: dict[str, Any]) -> None:
    """Set `name` in report.json, and in report.txt a line of that label, above the last one.

    A note of the same name is replaced. Raises Ga2Error when the reports cannot be read or written.
    """
    report = {**read_report(folder), name: values}
    try:
        text = (folder / REPORT_TEXT).read_text(encoding="utf-8")
        _replace(folder / REPORT_JSON, json.dumps(report, indent=1) + "\n")
        _replace(folder / REPORT_TEXT, _with_line(text, name, sentence))
    except OSError as error:
        raise Ga2Error(f"the report in {folder} cannot be rewritten: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Ga2Error(f"{folder / REPORT_TEXT} is damaged ({error}); run what failed again") from error


def _with_line(text: str, label: str, sentence: str) -> str:
    """Return a report with the sentence above its last line, in the place of an earlier one."""
    start = f"  {label:{LABEL_WIDTH}}"
    lines: list[str] = []
    is_old = False
    for line in text.splitlines():
        is_old = line.startswith(start) or (is_old and line.startswith(_CONTINUATION))
        if not is_old:
            lines.append(line)
    last = next((at for at, line in enumerate(lines) if line.startswith(_LAST_LABEL)), len(lines))
    lines[last:last] = labelled(label, sentence)
    return printable_lines("\n".join([*lines, ""]))


def _replace(path: Path, text: str) -> None:
    """Write a file in one step."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
