"""`timeline`: where the cycles of a bundle go."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from refmodel.machine.report_lines import COLUMNS
from regressions.exit_status import ExitStatus
from regressions.options import BundleArgument, JsonOption
from regressions.terminal import Terminal
from regressions.timeline.document import timeline_json
from regressions.timeline.picture_format import picture_format, require_picture_path
from regressions.timeline.text import print_timeline
from regressions.timeline.timeline import timeline_of_bundle
from sequences.whole_file import write_bytes, write_json

PngOption = Annotated[
    Path | None,
    typer.Option(
        "--png", help="Draw a picture too: .png, .svg or .pdf.", metavar="FILE", callback=require_picture_path
    ),
]


def timeline(bundle: BundleArgument, png: PngOption = None, json: JsonOption = None) -> ExitStatus:
    """Show which unit works when in a bundle, and where its cycles go: by unit and by tensor.

    The cycles are the model's. Without a source map they go to operations instead of tensors.
    """
    line = timeline_of_bundle(bundle)
    if json is not None:
        write_json(json, timeline_json(line))
    if png is not None:
        from regressions.timeline.picture import picture  # it loads matplotlib, which takes its time

        write_bytes(png, picture(line, picture_format(png)))
    console = Terminal(width=None if sys.stdout.isatty() else COLUMNS)
    with console.capture() as text:
        print_timeline(line, console)
    sys.stdout.write(text.get())  # with the styles of the terminal
    return ExitStatus.GOOD
