"""Lines of plain-text reports: a label, a text, and continuation lines where the text is long."""

from __future__ import annotations

import textwrap

COLUMNS = 100
"""No line of a report is longer."""

LABEL_WIDTH = 13
"""Columns that labels take unless a report says otherwise."""


def labelled(label: str, text: str, label_width: int = LABEL_WIDTH) -> list[str]:
    """Return an indented line, its text at a column of its own that the continuation lines keep.

    The column is further right for a label that is too long.
    """
    start = f"  {label:{label_width}}"
    if label and not start.endswith(" "):
        start += " "
    margin = " " * len(start)
    return textwrap.wrap(
        text, COLUMNS, initial_indent=start, subsequent_indent=margin, break_on_hyphens=False
    )
