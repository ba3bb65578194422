"""How generated mutants are tried: with what, in which order, on which simulator."""

from dataclasses import replace
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.closing.job_list import load_jobs
from regressions.qualification.closing_set import closing_jobs, reset_jobs
from regressions.qualification.mutation_run import MutationRun, simulator_of
from verif.qualification.generated.change import Operator
from verif.qualification.generated.selection import generated_mutants
from verif.qualification.generated.tests.trials import mutant
from verif.qualification.generated.trial import Fate
from verif.qualification.generated.unkilled import load_unkilled, problems
from verif.qualification.mutated_rtl import plusargs
from verif.qualification.qualify import prepare
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect, Mismatch
from verif.simulation.simulation import KEEP_GOING, Simulation
from verif.sources import source_digests

GOOD = RunReport("T", programs=1, comparisons=1)
WRONG = replace(GOOD, mismatches=[Mismatch("p", Aspect.COUNTER, "cyc_total", "7", "8")])

ADDED, RESET = mutant("added"), mutant("reset", Operator.RESET)


class Simulations:
    """Stands for all simulations: those of an `awake` mutant fail in one of the tests, all others pass."""

    def __init__(self, awake: str, fails_in: str) -> None:
        self.plusargs, self.fails_in = plusargs(awake), fails_in
        self.seen: list[Simulation] = []

    def run(self, simulation: Simulation) -> RunReport:
        simulation.run_directory.mkdir()
        self.seen.append(simulation)
        return WRONG if simulation.plusargs == self.plusargs and simulation.test == self.fails_in else GOOD


@pytest.fixture
def simulations(monkeypatch: pytest.MonkeyPatch) -> Simulations:
    found = Simulations("added", "directed.DirectedTest")
    monkeypatch.setattr(Simulation, "run", lambda simulation: found.run(simulation))
    return found


def run(directory: Path, *listed: str) -> MutationRun:
    return MutationRun("list.f", directory, listed, 1, source_digests())


def test_the_closing_set_is_the_standing_list_with_small_programs_first() -> None:
    jobs = closing_jobs()
    assert jobs[0].parameters["weights"].endswith("short_weights.toml")
    assert sorted(jobs, key=lambda job: job.name) == sorted(load_jobs(), key=lambda job: job.name) != []


def test_resets_are_tried_first_where_resets_are() -> None:
    first, *rest = reset_jobs()
    assert "resets" in first.parameters["groups"]
    in_icarus = [job.name for job in load_jobs() if job.simulator == "icarus"]
    assert sorted(job.name for job in (first, *rest)) == sorted(in_icarus)


def test_what_x_shows_is_tried_in_icarus_alone() -> None:
    assert (simulator_of(ADDED), simulator_of(RESET)) == ("verilator", "icarus")


def test_a_trial_ends_where_the_mutant_is_found(tmp_path: Path, simulations: Simulations) -> None:
    done: list[None] = []
    (trial,) = run(tmp_path).trials([ADDED], lambda: done.append(None))
    assert (trial.fate, trial.simulator) == (Fate.KILLED, "verilator")
    tests = [job.test for job in closing_jobs()]
    last = tests.index("directed.DirectedTest")
    assert last > 0  # something has passed before
    assert [each.test for each in simulations.seen] == [*tests[: last + 1], "directed.DirectedTest"]
    assert trial.by == closing_jobs()[last].name
    assert simulations.seen[-1].plusargs == (KEEP_GOING,)  # what killed it, with no mutant selected
    assert all(each.parameters["stop_at_mismatch"] for each in simulations.seen)
    assert len(done) == 1


def test_a_survivor_has_seen_the_whole_set(tmp_path: Path, simulations: Simulations) -> None:
    (trial,) = run(tmp_path).trials([RESET], lambda: None)
    assert trial.fate is Fate.SURVIVED
    assert [each.test for each in simulations.seen] == [job.test for job in reset_jobs()]
    assert {each.simulator for each in simulations.seen} == {"icarus"}


def test_one_that_is_listed_gets_the_first_job_alone(tmp_path: Path, simulations: Simulations) -> None:
    (trial,) = run(tmp_path, "reset").trials([RESET], lambda: None)
    assert (trial.fate, len(simulations.seen)) == (Fate.SURVIVED, 1)


def test_nothing_follows_where_the_unmutated_rtl_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(simulation: Simulation) -> RunReport:
        simulation.run_directory.mkdir()
        return WRONG

    monkeypatch.setattr(Simulation, "run", fails)
    with pytest.raises(
        Ga2Error, match=r"verilator: .* fails with no mutant selected, so nothing follows: p:"
    ):
        run(tmp_path).trials([ADDED], lambda: None)


@pytest.mark.slow
def test_the_whole_closing_set_leaves_what_is_listed(simulator: str, simulation_output: Path) -> None:
    mutants = [each for each in generated_mutants() if simulator_of(each) == simulator]
    assert len(mutants) > (20 if simulator == "icarus" else 100)
    directory = simulation_output / f"whole-closing-set-{simulator}"
    directory.mkdir(parents=True)
    trials = MutationRun(prepare(), directory, (), 2, source_digests()).trials(mutants, lambda: None)
    assert list(problems(load_unkilled(), generated_mutants(), trials)) == []
