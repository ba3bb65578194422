"""`qualify-software`, the command."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from regressions.software_qualification.mutant import SoftwareMutant
from regressions.software_qualification.mutants import SOFTWARE_MUTANTS
from regressions.software_qualification.outcome import Outcome, Verdict
from regressions.tests.conftest import CommandLine


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the command write here: tests run beside each other."""
    monkeypatch.setattr("regressions.commands.qualify_software.OUT", tmp_path)
    return tmp_path / "qualify-software"


def test_one_mutant(out: Path, command_line: CommandLine) -> None:
    outcome = command_line("qualify-software", "--only", "inverted_rule")
    assert outcome.status == 0, outcome.output
    assert "every mutant killed: 1 in" in outcome.output
    assert [path.name for path in out.iterdir()] == ["summary.json"]
    summary = json.loads((out / "summary.json").read_text())
    assert summary["good"] is True
    (mutant,) = summary["mutants"]
    assert (mutant["name"], mutant["category"], mutant["verdict"]) == (
        "inverted_rule", "draft table", "killed",
    )  # fmt: skip
    assert mutant["killer"] == "refmodel/language/tests/test_draft.py::test_the_structured_table_is_the_rule"


def test_unknown_mutant_names_the_nearest(command_line: CommandLine) -> None:
    outcome = command_line("qualify-software", "--only", "inverted_rul")
    assert outcome.status == 2
    assert "did you mean inverted_rule?" in outcome.error


def test_a_survivor_is_a_mismatch(
    out: Path, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[SoftwareMutant] = []

    def qualify_tests(
        mutants: Sequence[SoftwareMutant], directory: Path, workers: int, on_done: Callable[[], None]
    ) -> list[Outcome]:
        del directory, workers, on_done
        seen.extend(mutants)
        first, *rest = mutants
        killed = [Outcome(mutant, Verdict.KILLED, f"{mutant.tests[0]}[a-1]", "assert 1") for mutant in rest]
        return [Outcome(first, Verdict.SURVIVED, detail="all of its 7 tests pass"), *killed]

    monkeypatch.setattr("regressions.commands.qualify_software.qualify_tests", qualify_tests)
    outcome = command_line("qualify-software")
    assert outcome.status == 1
    assert seen == list(SOFTWARE_MUTANTS)
    assert "NOT every mutant killed: 29 in" in outcome.output
    line = f"first_guess_unseen: SURVIVED: all of its 7 tests pass: {SOFTWARE_MUTANTS[0].broken}"
    assert line in outcome.output
    summary = json.loads((out / "summary.json").read_text())
    assert summary["good"] is False
    assert [mutant["verdict"] for mutant in summary["mutants"]] == ["survived"] + ["killed"] * 28
