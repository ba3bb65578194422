"""Runs a simulation and, if it fails, explains, shows and shrinks the failure without being asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from refmodel.errors import Ga2Error
from sequences.program_list_file import load_programs
from verif.divergence.divergence import Divergence
from verif.failure.attempt import attempt
from verif.failure.folder import chip_settings, write_failure_folder
from verif.failure.rerun import Rerun, shortest_failing
from verif.failure.shrinking import NotShrunk
from verif.failure.shrunk_folder import shrink_into_folder
from verif.run_report import FAILING_SERIES, RunReport
from verif.shell_line import command_line
from verif.simulation.sim_make import OUT
from verif.simulation.simulation import KEEP_GOING, BrokenSimulationError, Simulation
from verif.sources import source_digests, unchanged_sources
from verif.waves.leaving import has_window, leave_window

FAILURES = OUT / "failures"
"""Where failures leave their folders."""

OnVerdict = Callable[[RunReport | BrokenSimulationError], None]


def run_explained(
    simulation: Simulation,
    failures: Path,
    *,
    shrink: bool = True,
    window: bool = True,
    on_verdict: OnVerdict | None = None,
) -> RunReport:
    """Run a simulation; if a program fails, leave a folder below `failures` and name it in the report.

    With `shrink` the folder gets a smallest series of programs that fails in the same way, too; with `window`
    the waves round the first divergence (verif/waves). `on_verdict` gets to know of a failure before it is
    explained, which may take long.
    The report is that of the run itself. An assertion of the chip's that ends the simulation keeps the bench
    from seeing what is wrong; it is then run again with the assertions silenced, and the folder is named in
    the error. Raises what `Simulation.run` raises.
    """
    try:
        report = simulation.run()
    except BrokenSimulationError as error:
        if on_verdict is not None:
            on_verdict(error)
        told = _explain_broken(simulation, error, failures, shrink, window)
        error.failure, error.explanation, error.shrunk = told.failure, told.explanation, told.shrunk
        raise
    if not report.passed:
        if on_verdict is not None:
            on_verdict(report)
        _explain(simulation, report, report.first_wrong, failures, shrink, window)
    return report


def explanation_lines(failed: RunReport | BrokenSimulationError) -> list[str]:
    """Return what is known of a failure: first divergence, what it shrank to, and how to see it again."""
    lines = list(filter(None, [failed.explanation, failed.shrunk]))
    return [*lines, *seeing_lines(Path(failed.failure))] if failed.failure else lines


def seeing_lines(folder: Path) -> list[str]:
    """Return the commands that show a failure again, and its waves if it left them."""
    lines = [f"see it again: {command_line('reproduce', folder)}"]
    if has_window(folder):
        lines.append(f"see its waves: {command_line('waves', folder)}")
    return lines


def _explain_broken(
    simulation: Simulation, error: BrokenSimulationError, failures: Path, shrink: bool, window: bool
) -> RunReport:
    """Return a report that tells what the simulation would have shown without the chip's assertions."""
    directory = simulation.run_directory.with_name(f"{simulation.run_directory.name}-unasserted")
    unasserted = replace(
        simulation, run_directory=directory, plusargs=(*simulation.plusargs, KEEP_GOING), waves=None
    )
    try:
        report = unasserted.run()
    except Ga2Error:
        explanation = "the simulation breaks off without the chip's assertions too"
        return RunReport(simulation.test, explanation=explanation)
    _explain(unasserted, report, str(error), failures, shrink, window)
    return report


def _explain(
    simulation: Simulation, report: RunReport, first_sign: str, failures: Path, shrink: bool, window: bool
) -> None:
    """Explain a failed run in its report; what keeps it from being explained goes there too."""
    saved = simulation.output / FAILING_SERIES
    if not saved.is_dir():
        return
    directory = simulation.run_directory / "again"
    chip = chip_settings(simulation)
    try:
        with unchanged_sources(source_digests(chip), chip):
            found = shortest_failing(simulation, load_programs(saved), directory)
    except (Ga2Error, OSError) as error:
        report.explanation = f"the failure could not be explained: {error}"
        return
    divergence = found.diagnosis.divergence if found.diagnosis else None
    report.explanation = _headline(divergence) if divergence else _undiverging_headline(found)
    try:
        folder = write_failure_folder(simulation, found, first_sign, failures)
    except Ga2Error as error:
        report.explanation = "; ".join(filter(None, [report.explanation, str(error)]))
        return
    report.failure = str(folder)
    if window:
        lacking = leave_window(simulation, found.diagnosis, folder, directory / "waves")
        report.explanation = "; ".join(filter(None, [report.explanation, lacking]))
    if shrink and divergence is not None:
        report.shrunk = _shrink(simulation, found, folder, directory / "shrinking", window)


def _shrink(simulation: Simulation, found: Rerun, folder: Path, directory: Path, window: bool) -> str:
    """Shrink a failure into its folder; return what came of it, or why nothing did."""

    def shrink() -> str:
        try:
            return shrink_into_folder(simulation, found, folder, directory, window=window)
        except NotShrunk as reason:
            return str(reason)

    line, problem = attempt(shrink, "it could not be shrunk", folder)
    return line or problem


def _headline(divergence: Divergence) -> str:
    tensor = "" if divergence.tensor is None else f"; tensor {divergence.tensor}"
    return f"first divergence: {divergence.kind.value}, {divergence.message}{tensor}"


def _undiverging_headline(found: Rerun) -> str:
    """Return what is wrong where no event that was seen differs, in a run longer than its trace, say."""
    if found.diagnosis is None or not found.fails:
        return ""
    last = found.series[-1].name
    wrong = next((str(each) for each in found.report.mismatches if each.program == last), found.report.error)
    remarks = "".join(f" ({remark})" for remark in found.diagnosis.remarks)
    return f"no event that was seen differs{remarks}; found wrong: {wrong.strip()}"
