"""Many mutants in one simulation: what becomes of each, and of a simulation that breaks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from refmodel.errors import Ga2Error
from verif.qualification.generated.batch import BATCH, batches, try_together
from verif.qualification.generated.tests.trials import mutant
from verif.qualification.generated.trial import Fate
from verif.run_report import RunReport
from verif.simulation.simulation import BrokenSimulationError, Simulation

MUTANTS = [mutant(name) for name in ("a", "b", "c", "d", "e")]
NUMBERS = {each.name: number for number, each in enumerate(MUTANTS, 1)}


class Chip:
    """Simulations of mutants: `d` is found, and `b` ends the simulation."""

    simulator = "verilator"

    def __init__(self, directory: Path, deadly: str, comparisons: int = 9) -> None:
        self.run_directory, self.deadly, self.comparisons = directory, deadly, comparisons
        self.seen: list[Mapping[str, int]] = []

    def make(self, numbers: Mapping[str, int]) -> Simulation:
        self.seen.append(numbers)
        return cast(Simulation, self)

    def run(self) -> RunReport:
        if self.deadly in self.seen[-1]:
            raise BrokenSimulationError("it did not converge")
        self.run_directory.mkdir()
        fates = {name: ["survived", "", ""] for name in self.seen[-1]} | {"d": ["killed", "p", "1 is not 2"]}
        return RunReport("T", 9, self.comparisons, payload={"mutants": fates})


def test_each_gets_its_own_fate(tmp_path: Path) -> None:
    chip = Chip(tmp_path / "run", deadly="none")
    trials = try_together(MUTANTS, NUMBERS, chip.make)
    assert [trial.mutant for trial in trials] == MUTANTS
    assert [trial.fate for trial in trials] == [*[Fate.SURVIVED] * 3, Fate.KILLED, Fate.SURVIVED]
    assert (trials[3].by, trials[3].detail) == ("p", "1 is not 2")
    assert chip.seen == [NUMBERS]
    assert not chip.run_directory.exists()


def test_one_that_breaks_the_simulation_takes_no_other_with_it(tmp_path: Path) -> None:
    chip = Chip(tmp_path / "run", deadly="b")
    fates = {trial.mutant.name: trial.fate for trial in try_together(MUTANTS, NUMBERS, chip.make)}
    alive = dict.fromkeys("ace", Fate.SURVIVED)
    assert fates == {**alive, "b": Fate.ERROR, "d": Fate.KILLED}


def test_nothing_follows_where_nothing_was_compared(tmp_path: Path) -> None:
    with pytest.raises(Ga2Error, match="fail with no mutant awake, so nothing follows: nothing was compared"):
        try_together(MUTANTS, NUMBERS, Chip(tmp_path / "run", "none", comparisons=0).make)


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, BATCH, BATCH + 1, 1000])
def test_batches_hold_each_mutant_once(count: int, workers: int) -> None:
    mutants = [mutant(f"m{number}") for number in range(count)]
    made = batches(mutants, workers)
    assert sorted(each.name for batch in made for each in batch) == sorted(each.name for each in mutants)
    assert all(0 < len(batch) <= BATCH for batch in made)
    assert len(made) % workers == 0 or len(made) == count
