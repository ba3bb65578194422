"""Runs UVM tests on the RTL for the command line, and turns how they can fail into errors."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from verif.run_report import RunReport
from verif.sim_make import REPOSITORY
from verif.simulation import Simulation, SimulationTimeout

OUT = REPOSITORY / "out"
"""Where results and the logs of failed simulations are kept."""


class Hang(Ga2Error):  # noqa: N818 -- a verdict on the chip rather than on the input
    """The chip did not halt, or the simulation had to be killed."""


def run_test(
    simulator: str,
    test: str,
    parameters: Mapping[str, Any],
    run_directory: Path | None = None,
    waves: Path | None = None,
) -> RunReport:
    """Run one UVM test and return its report, mismatches included; dump all signals to `waves` if given.

    Without a `run_directory` the simulation gets one of its own, which is kept only if something was found.
    Raises Hang; Ga2Error when the simulation could not be made to report, and when the request cannot be met.
    """
    directory = run_directory or OUT / "simulations" / f"{simulator}-{os.getpid()}"
    try:
        report = Simulation(simulator, test, directory, parameters, waves=waves).run()
    except SimulationTimeout as error:
        raise Hang(str(error)) from error
    if report.error_kind == "hang":
        raise Hang(f"{simulator}: {report.error}")
    if report.error_kind == "input":
        raise Ga2Error(report.error)
    if report.error_kind == "internal":
        raise Ga2Error(f"the bench failed in {simulator}; see {directory / 'sim.log'}:\n{report.error}")
    if not report.passed and not report.mismatches:
        raise Ga2Error(f"{simulator} compared nothing; see {directory / 'sim.log'}")
    if report.passed and run_directory is None:
        shutil.rmtree(directory, ignore_errors=True)
    return report
