"""`shrink`: the smallest programs that fail in the same way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refmodel.errors import Ga2Error
from regressions.choices import RTL_SIMULATORS, one_of
from regressions.exit_status import ExitStatus
from regressions.patience import working
from regressions.shrinking import shrink_bundle, shrink_folder
from regressions.terminal import show

SubjectArgument = Annotated[
    Path,
    typer.Argument(
        help="A bundle, or a folder of out/failures.", metavar="BUNDLE|FOLDER", show_default=False
    ),
]
SimOption = Annotated[
    str | None,
    typer.Option("--sim", help="Where a bundle runs: icarus or verilator (default).", metavar="NAME"),
]

DEFAULT_SIMULATOR = "verilator"


def shrink(subject: SubjectArgument, sim: SimOption = None) -> ExitStatus:
    """Reduce what fails to a smallest series of programs that fails in the same way, in the same unit."""
    if subject.is_dir():
        if sim is not None:
            raise Ga2Error(f"--sim {sim}: a failure's folder names its own simulator; leave --sim out")
        with working("shrinking", "its simulator"):
            lines = shrink_folder(subject)
    else:
        simulator = one_of("--sim", sim or DEFAULT_SIMULATOR, RTL_SIMULATORS)
        with working("shrinking", simulator):
            lines = shrink_bundle(subject, simulator)
    show("\n".join(lines))
    return ExitStatus.MISMATCH
