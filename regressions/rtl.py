"""Runs UVM tests on the RTL for the command line, and turns how they can fail into errors."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from verif.failure.investigation import FAILURES, explanation_lines, run_explained
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect
from verif.simulation.sim_make import OUT
from verif.simulation.simulation import BrokenSimulationError, Simulation, SimulationTimeout


class RtlFailure(Ga2Error):  # noqa: N818 -- a verdict on the chip rather than on the input
    """The chip is wrong in a way that leaves no report to show: it broke the simulation or the host loop."""


class Hang(RtlFailure):
    """The chip did not halt, or the simulation had to be killed."""


def own_directory(simulator: str) -> Path:
    """Return where this process runs a simulation that nobody gave a directory."""
    return OUT / "simulations" / f"{simulator}-{os.getpid()}"


@contextmanager
def discarded_if_interrupted(directory: Path) -> Iterator[None]:
    """Remove the directory of simulations after Ctrl-C: what is in there is half done."""
    try:
        yield
    except KeyboardInterrupt:
        shutil.rmtree(directory, ignore_errors=True)
        raise


def kept_report(simulator: str) -> Path:
    """Return the file with everything that was found wrong by the last such simulation."""
    return own_directory(simulator) / "report.json"


def run_test(
    simulator: str,
    test: str,
    parameters: Mapping[str, Any],
    run_directory: Path | None = None,
    waves: Path | None = None,
    coverage: bool = False,
    *,
    window: bool = True,
) -> RunReport:
    """Run one UVM test and return its report, mismatches included.

    All signals are dumped to `waves` if given; with `coverage` it is collected, into the run's directory.

    A failure leaves a folder, with `window` the waves round its first divergence too.
    Without a `run_directory` the simulation gets one of its own, which is kept only if something was found.
    Raises what `run_simulation` does.
    """
    directory = run_directory or own_directory(simulator)
    simulation = Simulation(simulator, test, directory, parameters, waves=waves, coverage=coverage)
    report = run_simulation(simulation, window=window)
    if report.passed and run_directory is None:
        shutil.rmtree(directory, ignore_errors=True)
    return report


def run_simulation(simulation: Simulation, *, window: bool = True) -> RunReport:
    """Run a simulation and return its report, mismatches included; a failure leaves a folder.

    Raises RtlFailure, Hang among them; Ga2Error when nothing can be said of the chip, because a tool is
    missing, the request cannot be met, or the bench itself failed.
    """
    simulator, directory = simulation.simulator, simulation.run_directory
    try:
        with discarded_if_interrupted(directory):
            report = run_explained(simulation, FAILURES, window=window)
    except SimulationTimeout as error:
        raise Hang(str(error)) from error
    except BrokenSimulationError as error:
        raise RtlFailure("; ".join([str(error), *explanation_lines(error)])) from error
    if report.error_kind is not None:
        raise _error(simulator, report, directory)
    if not report.passed and not report.mismatches:
        raise Ga2Error(f"{simulator} compared nothing; see {directory / 'sim.log'}")
    return report


def _error(simulator: str, report: RunReport, directory: Path) -> Ga2Error:
    """Return the error for a test that did not end; after a mismatch it is the chip that is to blame."""
    found = [each for each in report.mismatches if each.aspect is not Aspect.PAIRING]
    before = f"; {len(found)} mismatches before that, the first: {found[0]}" if found else ""
    before = "; ".join([before, *explanation_lines(report)])
    if report.error_kind == "hang":
        return Hang(f"{simulator}: {report.error}{before}")
    error = report.error
    if report.error_kind == "internal":
        last_line = error.strip().rpartition("\n")[2]
        error = f"the bench failed: {last_line}; the whole traceback is in {directory / 'sim.log'}"
    return RtlFailure(f"{simulator}: {error}{before}") if found else Ga2Error(f"{simulator}: {error}")
