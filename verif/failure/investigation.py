"""Runs a simulation and, if it fails, explains the failure without being asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from refmodel.errors import Ga2Error
from sequences.program_list_file import load_programs
from verif.divergence.divergence import Divergence
from verif.failure.folder import reproducing_command, write_failure_folder
from verif.failure.rerun import shortest_failing
from verif.run_report import FAILING_SERIES, RunReport
from verif.sim_make import REPOSITORY
from verif.simulation import BrokenSimulationError, Simulation

FAILURES = REPOSITORY / "out" / "failures"
"""Where failures leave their folders."""

KEEP_GOING = "+ga2_keep_going=1"
"""Tells the chip's own assertions not to end the simulation (hdl/rtl/ga2_invariants.sv)."""


def run_explained(simulation: Simulation, failures: Path) -> RunReport:
    """Run a simulation; if a program fails, leave a folder below `failures` and name it in the report.

    The report is that of the run itself. An assertion of the chip's that ends the simulation keeps the bench
    from seeing what is wrong; it is then run again with the assertions silenced, and the folder is named in
    the error. Raises what `Simulation.run` raises.
    """
    try:
        report = simulation.run()
    except BrokenSimulationError as error:
        error.failure, error.explanation = _explain_broken(simulation, error, failures)
        raise
    if not report.passed:
        first = report.error or str(next(iter(report.mismatches), ""))
        _explain(simulation, report, first, failures)
    return report


def explanation_lines(failed: RunReport | BrokenSimulationError) -> list[str]:
    """Return what is known of a failure: its first divergence, and the command that shows it again."""
    lines = [failed.explanation] if failed.explanation else []
    return [*lines, f"see it again: {reproducing_command(Path(failed.failure))}"] if failed.failure else lines


def _explain_broken(
    simulation: Simulation, error: BrokenSimulationError, failures: Path
) -> tuple[str | None, str]:
    directory = simulation.run_directory.with_name(f"{simulation.run_directory.name}-unasserted")
    unasserted = replace(
        simulation, run_directory=directory, plusargs=(*simulation.plusargs, KEEP_GOING), waves=None
    )
    try:
        report = unasserted.run()
    except Ga2Error:
        return None, "the simulation breaks off without the chip's assertions too"
    _explain(unasserted, report, str(error), failures)
    return report.failure, report.explanation


def _explain(simulation: Simulation, report: RunReport, first_sign: str, failures: Path) -> None:
    """Explain a failed run in its report; what keeps it from being explained goes there too."""
    saved = simulation.run_directory / FAILING_SERIES
    if not saved.is_dir():
        return
    try:
        found = shortest_failing(simulation, load_programs(saved), simulation.run_directory / "again")
    except (Ga2Error, OSError) as error:
        report.explanation = f"the failure could not be explained: {error}"
        return
    divergence = found.diagnosis.divergence if found.diagnosis else None
    if divergence is not None:
        report.explanation = _headline(divergence)
    try:
        report.failure = str(write_failure_folder(simulation, found, first_sign, failures))
    except Ga2Error as error:
        report.explanation = "; ".join(filter(None, [report.explanation, str(error)]))


def _headline(divergence: Divergence) -> str:
    tensor = "" if divergence.tensor is None else f"; tensor {divergence.tensor}"
    return f"first divergence: {divergence.kind.value}, {divergence.message}{tensor}"
