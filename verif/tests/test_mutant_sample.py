"""A sample of the generated mutants, as a job of each night draws it: all of it is accounted for, by name."""

from pathlib import Path

import pytest

from verif.qualification.mutated_rtl import MIRRORS
from verif.qualification.qualify import prepare_whole
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect
from verif.simulation.simulation import KEEP_GOING, Simulation

pytestmark = pytest.mark.usefixtures("quick_build")

COUNT = 5


def run(directory: Path, **parameters: object) -> RunReport:
    """Try a sample; only Verilator's build holds every mutant."""
    return Simulation(
        "verilator",
        "mutants.MutantSampleTest",
        directory,
        {"seed": 1, "count": COUNT, **parameters},
        rtl=prepare_whole(),
        mirrors=MIRRORS,
        plusargs=(KEEP_GOING,),
    ).run()


def test_a_sample_is_accounted_for(run_directory: Path) -> None:
    report = run(run_directory)
    assert report.passed, report.first_wrong
    assert len(report.payload["mutants"]) == COUNT


def test_a_survivor_fails_it_by_name(run_directory: Path) -> None:
    report = run(run_directory, random_programs=0, groups=["faults"])
    assert report.mismatches
    living = {name for name, (fate, _, _) in report.payload["mutants"].items() if fate == "survived"}
    for mismatch in report.mismatches:
        assert mismatch.aspect is Aspect.MUTANT
        assert mismatch.program in living
        assert (mismatch.expected, mismatch.found) == ("killed", "SURVIVED")
