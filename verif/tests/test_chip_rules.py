"""The chip's rules of its own find what no port shows."""

from pathlib import Path

import pytest

from verif.bfm.chip_rule import ChipRule
from verif.qualification.mutated_rtl import MIRRORS
from verif.qualification.qualify import DATA_SEED, prepare
from verif.scoreboard.verdict import Aspect
from verif.simulation.simulation import Simulation


@pytest.mark.slow("verilator")
def test_an_illegal_state_that_no_port_shows_is_found(simulator: str, run_directory: Path) -> None:
    """rst and start meet in one cycle, and nothing happens for a while."""
    report = Simulation(
        simulator,
        "named_programs.NamedProgramsTest",
        run_directory,
        {"programs": ["resets/against-start-1-after-halt"], "seed": DATA_SEED},
        rtl=prepare(),
        mirrors=MIRRORS,
        plusargs=("+mutant=illegal_state_after_start_under_reset",),
    ).run()
    assert [(each.aspect, each.where, each.found) for each in report.mismatches] == [
        (Aspect.CHECK, ChipRule.CHIP_STATE.name, "1 failure, the first in cycle 1")
    ]
