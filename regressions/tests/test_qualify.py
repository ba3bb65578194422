"""`qualify`, the command."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from refmodel.errors import Ga2Error
from regressions.qualification.by_hand_run import run_qualification
from regressions.qualification.mutation_run import MutationRun
from regressions.tests.conftest import CommandLine
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.change import Operator
from verif.qualification.generated.selection import all_mutants
from verif.qualification.generated.trial import AnyMutant, Fate, Trial
from verif.qualification.generated.unkilled import load_unkilled
from verif.qualification.mutant import Mutant
from verif.qualification.mutants import MUTANTS
from verif.qualification.outcome import Outcome, Verdict
from verif.run_report import RunReport
from verif.simulation.sim_make import OUT
from verif.sources import source_digests

pytestmark = pytest.mark.usefixtures("quick_build")


def test_one_mutant_on_one_simulator(simulator: str, command_line: CommandLine) -> None:
    outcome = command_line("qualify", "--only", "last_maximum", "--sim", simulator)
    assert outcome.status == 0, outcome.output
    assert f"every mutant as expected: 1 on {simulator}" in outcome.output


def test_unknown_mutant_names_the_nearest(command_line: CommandLine) -> None:
    outcome = command_line("qualify", "--only", "last_maximun")
    assert outcome.status == 2
    assert "did you mean last_maximum?" in outcome.error


def test_one_generated_mutant(command_line: CommandLine) -> None:
    outcome = command_line("qualify", "--only", COUNTS_DOWN.name, "--sim", "verilator")
    assert outcome.status == 0, outcome.output
    assert (
        "mutation score 100.0 %: 1 killed of 1 mutants, 0 of them equivalent; reaches 99 %" in outcome.output
    )


def test_one_that_the_simulator_does_not_try_is_bad_input(command_line: CommandLine) -> None:
    outcome = command_line("qualify", "--only", COUNTS_DOWN.name, "--sim", "icarus")
    assert outcome.status == 2
    assert "it is tried in the other simulator alone; leave --sim out" in outcome.error


COUNTS_DOWN = next(
    mutant
    for mutant in all_mutants()
    if (mutant.file, mutant.operator) == ("ga2_counters.sv", Operator.ARITHMETIC)
)


@dataclass
class Faked:
    """What is run, and what comes of it."""

    mutants: list[Mutant] = field(default_factory=list)
    generated: list[GeneratedMutant] = field(default_factory=list)
    in_icarus: Verdict = Verdict.AS_EXPECTED
    missed: tuple[str, ...] = ()
    """What the closing set does not find of those that were written by hand."""
    listed: tuple[str, ...] = ()
    """What got the first simulation alone."""
    survive: int = 0
    """So many generated mutants survive, besides those that are listed."""


@pytest.fixture
def faked(monkeypatch: pytest.MonkeyPatch) -> Faked:
    """Build and simulate nothing."""
    fake = Faked()

    def run(
        mutants: Sequence[Mutant],
        simulators: Sequence[str],
        rtl: Mapping[str, str],
        directory: Path,
        workers: int,
        sources: Mapping[str, str],
        on_done: Callable[[], None],
    ) -> list[Outcome]:
        del rtl, directory, workers, sources, on_done
        fake.mutants.extend(mutants)
        return [_outcome(fake, mutant, simulator) for mutant in mutants for simulator in simulators]

    def trials(
        trying: MutationRun, mutants: Sequence[AnyMutant], on_done: Callable[[], None]
    ) -> list[Trial[AnyMutant]]:
        del on_done
        generated = [mutant for mutant in mutants if isinstance(mutant, GeneratedMutant)]
        fake.generated.extend(generated)
        fake.listed = tuple(trying.listed)
        others: list[str] = [mutant.name for mutant in generated if mutant.name not in trying.listed]
        living = {*trying.listed, *others[: fake.survive], *fake.missed}
        return [
            Trial(mutant, "verilator", Fate.SURVIVED)
            if mutant.name in living
            else Trial(mutant, "verilator", Fate.KILLED, "random-0", "it differs")
            for mutant in mutants
        ]

    monkeypatch.setattr("regressions.commands.qualify.build", lambda *_: None)
    monkeypatch.setattr("regressions.qualification.finding.run_qualification", run)
    monkeypatch.setattr(MutationRun, "trials", trials)
    return fake


def _summary() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((OUT / "qualify" / "summary.json").read_text())
    return found


def _outcome(fake: Faked, mutant: Mutant, simulator: str) -> Outcome:
    if simulator == "verilator" or fake.in_icarus is Verdict.AS_EXPECTED:
        return Outcome(mutant, simulator, Verdict.AS_EXPECTED, mutant.expected, len(mutant.programs))
    found = replace(mutant.expected, pc=77)
    return Outcome(mutant, simulator, fake.in_icarus, found, len(mutant.programs), "it writes elsewhere")


def test_everything_is_run_and_the_score_is_printed(faked: Faked, command_line: CommandLine) -> None:
    outcome = command_line("qualify")
    assert outcome.status == 0, outcome.output
    assert faked.mutants == list(MUTANTS)
    assert faked.generated == list(all_mutants())
    total, equivalent = len(MUTANTS) + len(faked.generated), len(load_unkilled())
    killed = total - equivalent
    assert f"{killed} killed of {total} mutants, {equivalent} of them equivalent" in outcome.output
    found = _summary()
    assert found["good"] is True
    assert found["score"] == {
        "mutants": total,
        "killed": killed,
        "equivalent": equivalent,
        "survived": 0,
        "percent": 100.0,
    }
    assert sum(counts["mutants"] for counts in found["by_file"].values()) == total
    assert sum(counts["killed"] for counts in found["by_operator"].values()) == killed
    assert len(found["generated"]) == len(faked.generated)
    assert all(each["reason"] for each in found["generated"] if each["fate"] == "survived")


def test_rtl_of_ones_own_is_not_broken(
    faked: Faked, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RTL", "my/files.f")
    outcome = command_line("qualify")
    assert outcome.status == 2
    assert "RTL= names your own RTL" in outcome.error
    assert not faked.mutants


def test_one_alone_gets_the_whole_closing_set_though_nothing_is_known_to_kill_it(
    faked: Faked, command_line: CommandLine
) -> None:
    command_line("qualify")
    assert faked.listed == tuple(load_unkilled())
    faked.survive = 1
    name = next(iter(load_unkilled()))
    outcome = command_line("qualify", "--only", name)
    assert faked.listed == ()
    assert outcome.status == 0
    assert f"{name} (" in outcome.output
    assert "no mutation score: of 1 mutants, 1 are equivalent" in outcome.output
    assert "99 %" not in outcome.output


def test_a_survivor_that_is_not_listed_is_a_mismatch(faked: Faked, command_line: CommandLine) -> None:
    faked.survive = 1
    outcome = command_line("qualify")
    assert outcome.status == 1
    assert "strengthen the stimulus, or give it an entry" in outcome.output
    assert _summary()["good"] is False


def test_a_score_below_the_least_is_a_mismatch(
    faked: Faked, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked.survive = 16
    monkeypatch.setattr("regressions.qualification.finding.problems", lambda *_: ())
    outcome = command_line("qualify")
    assert outcome.status == 1
    assert "MISSES 99 %" in outcome.output
    assert _summary()["score"]["survived"] == 16


def test_one_by_hand_that_the_closing_set_misses_is_a_mismatch(
    faked: Faked, command_line: CommandLine
) -> None:
    faked.missed = ("last_maximum",)
    outcome = command_line("qualify")
    assert outcome.status == 1
    assert "closing set, last_maximum: is not found" in outcome.output
    assert _summary()["score"]["survived"] == 1


def test_one_simulator_runs_what_belongs_to_it(faked: Faked, command_line: CommandLine) -> None:
    command_line("qualify", "--sim", "icarus")
    assert {mutant.operator for mutant in faked.generated} == {Operator.RESET}
    faked.generated.clear()
    command_line("qualify", "--sim", "verilator")
    assert len(faked.generated) > 100
    assert Operator.RESET not in {mutant.operator for mutant in faked.generated}


def test_a_mutant_that_is_found_elsewhere_is_a_mismatch(faked: Faked, command_line: CommandLine) -> None:
    faked.in_icarus = Verdict.ELSEWHERE
    outcome = command_line("qualify")
    assert outcome.status == 1
    total = len(MUTANTS)
    assert f"NOT as expected: {total} of {total} on icarus and verilator" in outcome.output
    assert "icarus, last_maximum: found, but elsewhere: it writes elsewhere" in outcome.output
    summary = _summary()
    assert summary["good"] is False
    first = summary["mutants"][0]
    assert first["simulators"]["icarus"]["found"]["pc"] == 77
    assert first["simulators"]["verilator"] == {
        "verdict": "as_expected",
        "found": first["expected"],
        "programs_needed": 1,
        "detail": "",
    }


def test_nothing_is_judged_where_the_unmutated_rtl_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails(simulator: str, rtl: str, directory: Path) -> RunReport:
        del simulator, rtl, directory
        return RunReport("NamedProgramsTest")

    monkeypatch.setattr("regressions.qualification.by_hand_run.run_unmutated", fails)
    with pytest.raises(
        Ga2Error, match="fails with no mutant selected, so nothing follows: nothing was compared"
    ):
        run_qualification(
            MUTANTS[:1], ["icarus"], {"icarus": "list.f"}, tmp_path, 1, source_digests(), lambda: None
        )
