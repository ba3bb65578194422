"""`qualify`, the command."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.qualification_run import run_qualification
from regressions.rtl import OUT
from regressions.tests.conftest import CommandLine
from verif.qualification.mutant import Mutant
from verif.qualification.mutants import MUTANTS
from verif.qualification.outcome import Outcome, Verdict
from verif.run_report import RunReport


def test_one_mutant_on_one_simulator(simulator: str, command_line: CommandLine) -> None:
    outcome = command_line("qualify", "--only", "last_maximum", "--sim", simulator)
    assert outcome.status == 0, outcome.output
    assert f"every mutant as expected: 1 on {simulator}" in outcome.output


def test_unknown_mutant_names_the_nearest(command_line: CommandLine) -> None:
    outcome = command_line("qualify", "--only", "last_maximun")
    assert outcome.status == 2
    assert "did you mean last_maximum?" in outcome.error


@pytest.fixture
def faked(monkeypatch: pytest.MonkeyPatch) -> list[Mutant]:
    """Build and simulate nothing: mutants are found elsewhere in Icarus and as expected in Verilator."""
    seen: list[Mutant] = []

    def run(
        mutants: Sequence[Mutant],
        simulators: Sequence[str],
        rtl: str,
        directory: Path,
        workers: int,
        on_done: Callable[[], None],
    ) -> list[Outcome]:
        del rtl, directory, workers, on_done
        seen.extend(mutants)
        return [_outcome(mutant, simulator) for mutant in mutants for simulator in simulators]

    monkeypatch.setattr("regressions.commands.qualify.build", lambda *_: None)
    monkeypatch.setattr("regressions.commands.qualify.run_qualification", run)
    return seen


def _outcome(mutant: Mutant, simulator: str) -> Outcome:
    if simulator == "verilator":
        return Outcome(mutant, simulator, Verdict.AS_EXPECTED, mutant.expected, len(mutant.programs))
    found = replace(mutant.expected, pc=77)
    return Outcome(mutant, simulator, Verdict.ELSEWHERE, found, len(mutant.programs), "it writes elsewhere")


def test_a_mutant_that_is_found_elsewhere_is_a_mismatch(
    faked: list[Mutant], command_line: CommandLine
) -> None:
    outcome = command_line("qualify")
    assert outcome.status == 1
    assert faked == list(MUTANTS)
    assert "NOT as expected" in outcome.output
    assert "icarus, last_maximum: found, but elsewhere: it writes elsewhere" in outcome.output
    summary = json.loads((OUT / "qualify" / "summary.json").read_text())
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

    monkeypatch.setattr("regressions.qualification_run.run_unmutated", fails)
    with pytest.raises(
        Ga2Error, match="fails with no mutant selected, so nothing follows: nothing was compared"
    ):
        run_qualification(MUTANTS[:1], ["icarus"], "list.f", tmp_path, 1, lambda: None)
