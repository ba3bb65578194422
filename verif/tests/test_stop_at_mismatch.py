"""A test that is to stop at its first mismatch sends nothing behind the program that fails."""

from pathlib import Path

import pytest

from verif.qualification.mutants import MUTANTS
from verif.qualification.qualify import DATA_SEED, TEST, prepare, simulation_of
from verif.simulation.simulation import Simulation

MUTANT = next(mutant for mutant in MUTANTS if mutant.name == "last_maximum")
PROGRAMS = ["golden/softmax", *MUTANT.programs, "golden/load-store", "golden/softmax"]


@pytest.mark.parametrize(("stops", "programs"), [(True, 2), (False, 4)])
def test_nothing_runs_behind_the_first_mismatch(
    simulator: str, run_directory: Path, stops: bool, programs: int
) -> None:
    awake = simulation_of(MUTANT, simulator, prepare(), run_directory)
    parameters = {"programs": PROGRAMS, "seed": DATA_SEED, "stop_at_mismatch": stops}
    report = Simulation(
        simulator,
        TEST,
        run_directory,
        parameters,
        rtl=awake.rtl,
        mirrors=awake.mirrors,
        plusargs=awake.plusargs,
    ).run()
    assert report.programs == programs
    assert {mismatch.program for mismatch in report.mismatches} == {
        f"vectors/{MUTANT.programs[0].partition('/')[2]}"
    }
    assert report.error_kind is None
