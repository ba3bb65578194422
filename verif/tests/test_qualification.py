"""Mutants: the bench must find each, and name its first divergence as worked out before."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from verif.qualification.mutant import Mutant
from verif.qualification.mutants import MUTANTS
from verif.qualification.mutated_rtl import MIRRORS
from verif.qualification.outcome import Verdict
from verif.qualification.qualify import prepare, qualify, run_unmutated
from verif.simulation.chip import SIMULATORS
from verif.simulation.simulation import Simulation

BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
SERIES = [mutant for mutant in MUTANTS if len(mutant.programs) > 1]


@pytest.fixture(scope="session")
def rtl() -> str:
    """Return the file list of the RTL that holds all mutants."""
    return prepare()


def _sampled(mutants: Sequence[Mutant], sample: Sequence[Mutant]) -> list[ParameterSet]:
    """Return the mutants; those of a sample are slow on every other simulator, the rest on both."""
    return [
        pytest.param(
            mutant,
            id=mutant.name,
            marks=pytest.mark.slow(SIMULATORS[sample.index(mutant) % 2])
            if mutant in sample
            else pytest.mark.slow(),
        )
        for mutant in mutants
    ]


FIRST_OF_CATEGORY = list({mutant.category: mutant for mutant in reversed(MUTANTS)}.values())


@pytest.mark.parametrize("mutant", _sampled(MUTANTS, FIRST_OF_CATEGORY))
def test_first_divergence_is_the_one_worked_out(
    simulator: str, rtl: str, run_directory: Path, mutant: Mutant
) -> None:
    outcome = qualify(mutant, simulator, rtl, run_directory)
    assert outcome.good, f"{outcome.verdict.value}: {outcome.detail}; found {outcome.found}"


def test_their_programs_pass_with_no_mutant_selected(simulator: str, rtl: str, run_directory: Path) -> None:
    report = run_unmutated(simulator, rtl, run_directory)
    assert report.passed, "\n".join(map(str, report.mismatches))
    assert report.programs == len({name for mutant in MUTANTS for name in mutant.programs})


@pytest.mark.slow
def test_unselected_copy_behaves_as_the_original(simulator: str, rtl: str, run_directory: Path) -> None:
    simulation = Simulation(
        simulator, "directed.DirectedTest", run_directory, {"seed": 1}, rtl=rtl, mirrors=MIRRORS
    )
    report = simulation.run()
    assert report.passed, "\n".join(map(str, report.mismatches))


@pytest.mark.parametrize("mutant", _sampled(SERIES, SERIES))
def test_last_program_of_a_series_passes_alone(
    simulator: str, rtl: str, run_directory: Path, mutant: Mutant
) -> None:
    alone = replace(mutant, programs=mutant.programs[-1:])
    assert qualify(alone, simulator, rtl, run_directory).verdict is Verdict.SURVIVED


@pytest.mark.slow("icarus")
def test_mutant_that_nothing_shows_is_not_as_expected(simulator: str, rtl: str, run_directory: Path) -> None:
    hidden = replace(BY_NAME["last_maximum"], programs=("golden/load-store",))
    outcome = qualify(hidden, simulator, rtl, run_directory)
    assert outcome.verdict is Verdict.SURVIVED
    assert not outcome.good


@pytest.mark.slow("icarus")
def test_another_place_is_not_as_expected(simulator: str, rtl: str, run_directory: Path) -> None:
    mutant = BY_NAME["last_maximum"]
    elsewhere = replace(mutant, expected=replace(mutant.expected, pc=1))
    outcome = qualify(elsewhere, simulator, rtl, run_directory)
    assert outcome.verdict is Verdict.ELSEWHERE
    assert outcome.found == mutant.expected


@pytest.mark.slow("verilator")
def test_a_program_that_is_not_needed_is_not_as_expected(
    simulator: str, rtl: str, run_directory: Path
) -> None:
    mutant = BY_NAME["last_maximum"]
    longer = replace(mutant, programs=("golden/load-store", *mutant.programs))
    outcome = qualify(longer, simulator, rtl, run_directory)
    assert outcome.verdict is Verdict.ELSEWHERE
    assert "shown by 1 programs rather than by 2" in outcome.detail


def test_rtl_that_cannot_be_built_is_an_error(simulator: str, run_directory: Path) -> None:
    outcome = qualify(BY_NAME["last_maximum"], simulator, "/no/such/list.f", run_directory)
    assert outcome.verdict is Verdict.ERROR
    assert "/no/such/list.f" in outcome.detail
