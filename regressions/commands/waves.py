"""`waves`: the window that a failure left, in the terminal or in GTKWave."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regressions.exit_status import ExitStatus
from regressions.terminal import show
from verif.waves.viewing import open_viewer, read_window

FolderArgument = Annotated[
    Path, typer.Argument(help="A folder of out/failures.", metavar="FOLDER", show_default=False)
]
ViewOption = Annotated[bool, typer.Option("--view", help="Open it in GTKWave.")]


def waves(folder: FolderArgument, view: ViewOption = False) -> ExitStatus:
    """Show the cycles round a failure's first divergence: as text, or with --view in GTKWave."""
    text = read_window(folder)
    if view:
        open_viewer(folder)
    else:
        show(text, end="")
    return ExitStatus.GOOD
