"""`reproduce`: a failure again, from the folder that it left."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from regressions.exit_status import ExitStatus
from regressions.patience import working
from regressions.rtl import RtlFailure, discarded_if_interrupted, own_directory
from regressions.terminal import show
from verif.divergence.report import divergence_text
from verif.failure.reproduction import Reproduction, not_the_recorded, reproduce
from verif.simulation.simulation import BrokenSimulationError, SimulationTimeout

FolderArgument = Annotated[
    Path, typer.Argument(help="A folder of out/failures.", metavar="FOLDER", show_default=False)
]


def reproduce_failure(folder: FolderArgument) -> ExitStatus:
    """Run what failed again, on the same simulator and RTL, and compare its first divergence.

    RTL= chooses other RTL than the recorded one. The exit status is 1 if it fails, in the same way or in
    another. If it passes: 0 with the recorded sources, 3 with others, which the command names.
    """
    directory = own_directory("reproduce")
    try:
        with working("running it again", "its simulator"), discarded_if_interrupted(directory):
            reproduction = reproduce(folder, directory / "again")
    except (BrokenSimulationError, SimulationTimeout) as error:
        raise RtlFailure(str(error)) from error
    shutil.rmtree(directory, ignore_errors=True)
    return _show(reproduction)


def _show(reproduction: Reproduction) -> ExitStatus:
    other_sources = reproduction.other_sources
    if reproduction.passes and other_sources:
        show("does not fail here: every event, word and counter is as the model says")
        show(f"but {not_the_recorded(other_sources)}")
        return ExitStatus.OTHER_SOURCES
    if reproduction.passes:
        show("passes now: every event, word and counter is as the model says; nothing to explain")
        return ExitStatus.GOOD
    if reproduction.divergence is not None:
        show(divergence_text(reproduction.divergence))
    else:
        report = reproduction.found.report
        show("\n".join(filter(None, [report.error, *map(str, report.mismatches)])))
    same = reproduction.is_the_same
    show("the same as recorded" if same else "ANOTHER divergence than the recorded one: see report.txt")
    if other_sources:
        show(f"it still fails, though {not_the_recorded(other_sources)}")
    return ExitStatus.MISMATCH
