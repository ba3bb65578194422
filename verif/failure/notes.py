"""Adds to the reports of a failure's folder what is known later: its waves, and what it shrank to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from refmodel.machine.report_lines import LABEL_WIDTH, labelled
from refmodel.printable import printable_lines
from sequences.document import DocumentError, read_text
from sequences.whole_file import write_json, write_text
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
        text = read_text(folder / REPORT_TEXT)
    except DocumentError as error:
        raise Ga2Error(
            f"{folder / REPORT_TEXT} is damaged ({error.problem}); run what failed again"
        ) from error
    write_json(folder / REPORT_JSON, report)
    write_text(folder / REPORT_TEXT, _with_line(text, name, sentence))


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
