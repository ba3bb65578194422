"""`report`: a night as a small site of HTML pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regressions.exit_status import ExitStatus
from regressions.failure_lines import shown_path
from regressions.history.database import HISTORY
from regressions.options import HistoryOption
from regressions.terminal import show


def report(
    night: Annotated[
        str, typer.Argument(help="A night's directory or name, or `last`.", metavar="NIGHT")
    ] = "last",
    list_name: Annotated[
        str | None, typer.Option("--list", help="With `last`: of this list.", metavar="LIST")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Where the pages go (default: report/ in the night's directory).", metavar="DIR"),
    ] = None,
    history: HistoryOption = HISTORY,
) -> ExitStatus:
    """Write a night as HTML pages that need no server and no network; print where they begin."""
    from regressions.nightly.place import find_place
    from regressions.report.writing import write_report  # it loads matplotlib

    page = write_report(find_place(night, list_name), history, out)
    show(f"report: {shown_path(page.resolve())}")
    return ExitStatus.GOOD
