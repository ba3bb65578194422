"""When a mutant counts as killed, and when nothing follows."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.tests.trials import mutant
from verif.qualification.generated.trial import Fate, Trial, try_mutant
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect, Mismatch
from verif.simulation.simulation import Simulation, SimulationError

WRONG = Mismatch("p", Aspect.COUNTER, "cyc_total", "7", "8")


def report(*mismatches: Mismatch, **others: object) -> RunReport:
    settings = {"programs": 1, "comparisons": 9, **others}
    return RunReport("T", mismatches=list(mismatches), **settings)  # type: ignore[arg-type]


GOOD = report()


@dataclass
class Ended:
    """A simulation that has ended before it began."""

    run_directory: Path
    outcome: RunReport | SimulationError
    runs: list[str] = field(default_factory=list)

    def run(self) -> RunReport:
        self.runs.append("run")
        if isinstance(self.outcome, SimulationError):
            raise self.outcome
        self.run_directory.mkdir()
        return self.outcome


def tried(
    directory: Path, *outcomes: RunReport | SimulationError
) -> tuple[Trial[GeneratedMutant], list[Ended]]:
    simulations = [Ended(directory / str(number), outcome) for number, outcome in enumerate(outcomes)]
    named = [(f"job-{each.run_directory.name}", cast(Simulation, each)) for each in simulations]
    return try_mutant(mutant("m"), "verilator", named), simulations


def test_the_first_simulation_that_finds_it_ends_the_trial(tmp_path: Path) -> None:
    trial, simulations = tried(tmp_path, GOOD, report(WRONG), GOOD)
    assert (trial.fate, trial.by, trial.detail) == (Fate.KILLED, "job-1", str(WRONG))
    assert [len(each.runs) for each in simulations] == [1, 1, 0]


def test_a_hang_kills(tmp_path: Path) -> None:
    trial, _ = tried(tmp_path, report(programs=0, comparisons=0, error_kind="hang", error="it hangs"))
    assert (trial.fate, trial.detail) == (Fate.KILLED, "it hangs")


def test_it_survives_what_passes_whole(tmp_path: Path) -> None:
    trial, _ = tried(tmp_path, GOOD, GOOD)
    assert (trial.fate, trial.by) == (Fate.SURVIVED, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("outcome", "detail"),
    [
        (SimulationError("no simulator"), "no simulator"),
        (report(WRONG, error_kind="internal", error="Traceback"), "Traceback"),
        (report(WRONG, error_kind="input", error="no such file"), "no such file"),
        (report(comparisons=0), "nothing was compared"),
        (report(WRONG, comparisons=0), "nothing was compared"),
    ],
)
def test_what_keeps_the_bench_from_judging_is_no_kill(
    tmp_path: Path, outcome: RunReport | SimulationError, detail: str
) -> None:
    trial, simulations = tried(tmp_path, outcome, GOOD)
    assert (trial.fate, trial.by, trial.detail) == (Fate.ERROR, "job-0", detail)
    assert simulations[1].runs == []
