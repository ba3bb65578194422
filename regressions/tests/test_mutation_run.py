"""How generated mutants are tried: with what, in which order, on which simulator."""

from dataclasses import replace
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.closing.job_list import load_jobs
from regressions.qualification import mutation_run
from regressions.qualification.closing_set import closing_jobs, reset_jobs
from regressions.qualification.mutation_run import MutationRun, simulator_of
from verif.qualification.generated.batch import TEST
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.change import Operator
from verif.qualification.generated.selection import all_mutants
from verif.qualification.generated.tests.trials import mutant
from verif.qualification.generated.trial import Fate
from verif.qualification.generated.unkilled import load_unkilled, problems
from verif.qualification.mutated_rtl import plusargs
from verif.qualification.qualify import numbers, prepare, prepare_whole
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect, Mismatch
from verif.simulation.simulation import KEEP_GOING, Simulation
from verif.sources import source_digests

pytestmark = pytest.mark.usefixtures("quick_build")

GOOD = RunReport("T", programs=1, comparisons=1)
WRONG = replace(GOOD, mismatches=[Mismatch("p", Aspect.COUNTER, "cyc_total", "7", "8")])

ADDED, RESET, PROVED = mutant("added"), mutant("reset", Operator.RESET), mutant("proved")


class Simulations:
    """Stands for all simulations: those of an `awake` mutant fail in one of the tests, all others pass.

    Short programs kill the mutants of `die_at_once` alone.
    """

    def __init__(self, awake: str, fails_in: str) -> None:
        self.plusargs, self.fails_in = plusargs(awake), fails_in
        self.seen: list[Simulation] = []
        self.die_at_once: tuple[str, ...] = ()

    def run(self, simulation: Simulation) -> RunReport:
        simulation.run_directory.mkdir()
        self.seen.append(simulation)
        if simulation.test == TEST:
            killed, lives = ["killed", "random/1-0", "it differs"], ["survived", "", ""]
            fates = {
                name: killed if name in self.die_at_once else lives
                for name in simulation.parameters["mutants"]
            }
            return replace(GOOD, payload={"mutants": fates})
        return WRONG if simulation.plusargs == self.plusargs and simulation.test == self.fails_in else GOOD


@pytest.fixture
def simulations(monkeypatch: pytest.MonkeyPatch) -> Simulations:
    found = Simulations("added", "directed.DirectedTest")
    monkeypatch.setattr(Simulation, "run", lambda simulation: found.run(simulation))
    monkeypatch.setattr(mutation_run, "proved_equivalent", lambda mutant: mutant == PROVED)
    return found


def run(directory: Path, *listed: str) -> MutationRun:
    rtl = {"icarus": "small.f", "verilator": "whole.f"}
    return MutationRun(rtl, {"added": 7, "proved": 9}, directory, listed, 1, source_digests())


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
    assert [each.test for each in simulations.seen] == [TEST, *tests[: last + 1], "directed.DirectedTest"]
    assert {each.rtl for each in simulations.seen} == {"whole.f"}
    assert trial.by == closing_jobs()[last].name
    assert simulations.seen[-1].plusargs == (KEEP_GOING,)  # what killed it, with no mutant selected
    assert all(each.parameters["stop_at_mismatch"] for each in simulations.seen if each.test != TEST)
    assert len(done) == 1


def test_what_short_programs_kill_gets_nothing_else(tmp_path: Path, simulations: Simulations) -> None:
    simulations.die_at_once = ("added",)
    (trial,) = run(tmp_path).trials([ADDED], lambda: None)
    assert (trial.fate, trial.by, trial.detail) == (Fate.KILLED, "random/1-0", "it differs")
    (seen,) = simulations.seen
    assert seen.parameters["mutants"] == {"added": 7}
    assert seen.plusargs == (KEEP_GOING,)


def test_what_the_solver_proves_gets_no_closing_set(tmp_path: Path, simulations: Simulations) -> None:
    (trial,) = run(tmp_path).trials([PROVED], lambda: None)
    assert (trial.fate, trial.by) == (Fate.PROVED, "solver")
    assert [each.test for each in simulations.seen] == [TEST]


def test_a_survivor_has_seen_the_whole_set(tmp_path: Path, simulations: Simulations) -> None:
    (trial,) = run(tmp_path).trials([RESET], lambda: None)
    assert trial.fate is Fate.SURVIVED
    assert [each.test for each in simulations.seen] == [job.test for job in reset_jobs()]
    assert {each.simulator for each in simulations.seen} == {"icarus"}


def test_one_that_is_listed_gets_the_short_programs_alone(tmp_path: Path, simulations: Simulations) -> None:
    (trial,) = run(tmp_path, "added").trials([ADDED], lambda: None)
    assert trial.fate is Fate.SURVIVED
    assert [each.test for each in simulations.seen] == [TEST]


def test_a_listed_reset_gets_the_first_job_alone(tmp_path: Path, simulations: Simulations) -> None:
    (trial,) = run(tmp_path, "reset").trials([RESET], lambda: None)
    assert (trial.fate, len(simulations.seen)) == (Fate.SURVIVED, 1)


@pytest.mark.parametrize(
    ("mutant", "message"),
    [
        (ADDED, "verilator: programs fail with no mutant awake, so nothing follows: p:"),
        (RESET, "icarus: .* fails with no mutant selected, so nothing follows: p:"),
    ],
)
def test_nothing_follows_where_the_unmutated_rtl_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mutant: GeneratedMutant, message: str
) -> None:
    def fails(simulation: Simulation) -> RunReport:
        simulation.run_directory.mkdir()
        return WRONG

    monkeypatch.setattr(Simulation, "run", fails)
    with pytest.raises(Ga2Error, match=message):
        run(tmp_path).trials([mutant], lambda: None)


@pytest.mark.slow
def test_the_whole_closing_set_leaves_what_is_listed(simulator: str, simulation_output: Path) -> None:
    mutants = [each for each in all_mutants() if simulator_of(each) == simulator]
    assert len(mutants) > (20 if simulator == "icarus" else 1000)
    directory = simulation_output / f"whole-closing-set-{simulator}"
    directory.mkdir(parents=True)
    rtl = {"icarus": prepare(), "verilator": prepare_whole()}
    trying = MutationRun(rtl, numbers(whole=True), directory, load_unkilled(), 2, source_digests())
    trials = trying.trials(mutants, lambda: None)
    assert list(problems(load_unkilled(), all_mutants(), trials)) == []
