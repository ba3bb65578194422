"""Runs a failing program again, by itself or after the shortest series that makes it fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from refmodel.errors import Ga2Error
from sequences.directed.directed_program import DirectedProgram
from sequences.program_list_file import save_programs
from verif.failure.diagnosis import Diagnosis, diagnose
from verif.run_report import RunReport
from verif.series.program_series import last_programs, state_after
from verif.simulation.simulation import Simulation
from verif.trace.traced_run import TracedRun

TRIALS = (1, 2, 3, 4, 8, 16)
"""Lengths of series that are tried, before all there is."""


@dataclass(frozen=True, eq=False)
class Rerun:
    """A series of programs that was run again, the last of them in trace mode."""

    series: tuple[DirectedProgram, ...]
    report: RunReport
    run: TracedRun | None
    """What the last program did; None if an earlier one kept it from running."""
    diagnosis: Diagnosis | None
    """None without a run."""

    @property
    def fails(self) -> bool:
        """Does the last program fail?"""
        if self.diagnosis is None:
            return False
        last = self.series[-1].name
        return (
            self.diagnosis.divergence is not None
            or self.report.error_kind == "hang"
            or any(mismatch.program == last for mismatch in self.report.mismatches)
        )


def rerun(simulation: Simulation, series: Sequence[DirectedProgram], directory: Path) -> Rerun:
    """Run a series in a fresh simulation with the settings of `simulation`, in a directory of its own.

    Raises SimulationError or SimulationTimeout when it brings no report, Ga2Error when the bench fails.
    """
    programs = directory.with_name(f"{directory.name}-programs")
    programs.mkdir(parents=True, exist_ok=True)
    save_programs(programs, series)
    report = replace(
        simulation,
        test="traced.TracedTest",
        run_directory=directory,
        parameters={"series": str(programs.resolve())},
        waves=None,
        coverage=False,
        code_coverage=False,
    ).run()
    if report.error_kind in ("internal", "input"):
        raise Ga2Error(f"running it again failed: {report.error.strip().rpartition(chr(10))[2]}")
    if not report.payload:
        return Rerun(tuple(series), report, None, None)
    run = TracedRun.from_json(report.payload)
    return Rerun(tuple(series), report, run, diagnose(series[-1], state_after(series[:-1]), run))


def shortest_failing(simulation: Simulation, series: Sequence[DirectedProgram], directory: Path) -> Rerun:
    """Return the run of the shortest end of a series that makes its last program fail.

    The lengths of TRIALS are tried in turn, then the gap below the first that fails is halved until no
    shorter one fails. If none does, the run of the whole series is returned, which then does not fail.
    """
    passes = 0
    lengths = [length for length in TRIALS if length < len(series)] + [len(series)]
    for length in lengths:
        found = _trial(simulation, series, length, directory)
        if found.fails:
            break
        passes = length
    while found.fails and len(found.series) - passes > 1:
        middle = _trial(simulation, series, (passes + len(found.series)) // 2, directory)
        if middle.fails:
            found = middle
        else:
            passes = len(middle.series)
    return found


def _trial(simulation: Simulation, series: Sequence[DirectedProgram], length: int, directory: Path) -> Rerun:
    return rerun(simulation, last_programs(series, length), directory / f"last-{length}")
