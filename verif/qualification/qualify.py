"""Runs a mutant, lets the bench explain what it finds, and compares that with what was worked out before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind
from verif.failure.investigation import run_explained
from verif.failure.recorded import read_report
from verif.qualification.generated.selection import all_mutants, few_mutants
from verif.qualification.mutant import FirstDivergence, Mutant
from verif.qualification.mutants import MUTANTS
from verif.qualification.mutated_rtl import FILE_LIST, MIRRORS, mutant_numbers, plusargs, write_mutated_rtl
from verif.qualification.outcome import Outcome, Verdict
from verif.run_report import RunReport
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.simulation import Simulation

MUTATED_RTL = REPOSITORY / "build" / "mutated-rtl"
"""Where the copy of the RTL is made with all that is written by hand and a few generated mutants."""

WHOLE_RTL = REPOSITORY / "build" / "mutated-rtl-whole"
"""Where the copy with all mutants is made, for Verilator: Icarus would run it at half the speed."""

DATA_SEED = 1
"""Of all programs: the expectations are about these data, whatever seed other tests run with."""

TEST = "named_programs.NamedProgramsTest"


WHOLE_LIST = WHOLE_RTL / FILE_LIST


def prepare() -> str:
    """Make the RTL with the mutants that both simulators run, and return its file list.

    The bench can select them at run time, by `numbers(False)`. Raises MutationError.
    """
    return str(write_mutated_rtl(MUTATED_RTL, MUTANTS, few_mutants(), at_run_time=True))


def prepare_whole() -> str:
    """Make the RTL that holds every mutant, as `prepare`; the numbers are `numbers(True)`."""
    return str(write_mutated_rtl(WHOLE_RTL, MUTANTS, all_mutants(), at_run_time=True))


def numbers(whole: bool) -> dict[str, int]:
    """Return what selects each mutant at run time, in one of the two copies."""
    return mutant_numbers([*MUTANTS, *(all_mutants() if whole else few_mutants())])


def qualify(mutant: Mutant, simulator: str, rtl: str, directory: Path) -> Outcome:
    """Run the mutant's programs in a directory of the caller's, and judge the report that they lead to.

    `rtl` is a copy of the RTL that holds the mutant. Whatever keeps a report from being made is an error.
    """
    simulation = simulation_of(mutant, simulator, rtl, directory)
    try:
        report = run_explained(simulation, directory / "failures", shrink=False, window=False)
    except Ga2Error as error:
        return Outcome(mutant, simulator, Verdict.ERROR, detail=str(error))
    if report.passed:
        return Outcome(mutant, simulator, Verdict.SURVIVED, detail="the bench finds nothing wrong")
    if report.failure is None:
        return Outcome(mutant, simulator, Verdict.ERROR, detail=report.explanation or report.error)
    return _judge(mutant, simulator, read_report(Path(report.failure)))


def run_unmutated(simulator: str, rtl: str, directory: Path) -> RunReport:
    """Run the programs of all mutants with none selected; the report must have passed.

    Raises SimulationError or SimulationTimeout.
    """
    programs = dict.fromkeys(name for mutant in MUTANTS for name in mutant.programs)
    return _simulation(simulator, tuple(programs), rtl, directory).run()


def simulation_of(mutant: Mutant, simulator: str, rtl: str, directory: Path) -> Simulation:
    """Return the simulation in which a mutant shows; `rtl` and `directory` as in `qualify`."""
    return replace(_simulation(simulator, mutant.programs, rtl, directory), plusargs=plusargs(mutant.name))


def _simulation(simulator: str, programs: Sequence[str], rtl: str, directory: Path) -> Simulation:
    parameters = {"programs": list(programs), "seed": DATA_SEED}
    return Simulation(simulator, TEST, directory, parameters, rtl=rtl, mirrors=MIRRORS)


def _judge(mutant: Mutant, simulator: str, report: dict[str, Any]) -> Outcome:
    found = _first_divergence(report)
    needed = report["programs_needed"]
    wrong = []
    if report["program"] != mutant.programs[-1]:
        wrong.append(f"{report['program']} fails, but only {mutant.programs[-1]} should")
    if needed != len(mutant.programs):
        wrong.append(f"shown by {needed} programs rather than by {len(mutant.programs)}")
    if found != mutant.expected:
        wrong.append(f"{report.get('message', 'no event, word or rule is named')}")
    verdict = Verdict.ELSEWHERE if wrong else Verdict.AS_EXPECTED
    return Outcome(mutant, simulator, verdict, found, needed, "; ".join(wrong))


def _first_divergence(report: dict[str, Any]) -> FirstDivergence | None:
    if report["kind"] is None:
        return None
    unit = report["unit"]
    return FirstDivergence(
        report["pc"],
        report["opcode"],
        None if unit is None else Unit[unit.upper()],
        DivergenceKind[report["kind"].upper()],
    )
