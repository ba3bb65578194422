"""Generated mutants on both simulators: a fixed sample is found, and asleep they change nothing."""

from pathlib import Path

import pytest

from sequences.random_programs.weights import SHORT_WEIGHTS
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.change import Operator
from verif.qualification.generated.selection import few_mutants
from verif.qualification.generated.trial import Fate, try_mutant
from verif.qualification.mutated_rtl import MIRRORS, plusargs
from verif.qualification.qualify import prepare
from verif.simulation.simulation import KEEP_GOING, Simulation

PROGRAMS = 25

SAMPLE = [
    ("ga2_counters.sv", Operator.ARITHMETIC),
    ("ga2_sequencer.sv", Operator.ARITHMETIC),
    ("ga2_systolic_row.sv", Operator.ARITHMETIC),
    ("ga2_softmax.sv", Operator.ARITHMETIC),
]


@pytest.fixture(scope="session")
def rtl() -> str:
    """Return the file list of the RTL that holds all mutants."""
    return prepare()


def _simulation(simulator: str, rtl: str, directory: Path, arguments: tuple[str, ...]) -> Simulation:
    parameters = {"seed": 1, "count": PROGRAMS, "weights": str(SHORT_WEIGHTS), "stop_at_mismatch": True}
    test = "random_programs.RandomProgramTest"
    return Simulation(simulator, test, directory, parameters, rtl=rtl, mirrors=MIRRORS, plusargs=arguments)


def _first(file: str, operator: Operator) -> GeneratedMutant:
    return next(each for each in few_mutants() if (each.file, each.operator) == (file, operator))


@pytest.mark.parametrize(("file", "operator"), SAMPLE)
def test_small_random_programs_find_it(
    simulator: str, rtl: str, run_directory: Path, file: str, operator: Operator
) -> None:
    mutant = _first(file, operator)
    simulation = _simulation(simulator, rtl, run_directory, plusargs(mutant.name))
    trial = try_mutant(mutant, simulator, [("random", simulation)])
    assert trial.fate is Fate.KILLED, f"{mutant.name}: {trial.fate.value}: {trial.detail}"


def test_asleep_they_change_nothing(simulator: str, rtl: str, run_directory: Path) -> None:
    report = _simulation(simulator, rtl, run_directory, (KEEP_GOING,)).run()
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == PROGRAMS
