"""`prove`: lines, tables, exit statuses, and the JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from regressions.command_line import main
from regressions.proving import counterexample_table
from regressions.terminal import Terminal
from verif.proofs.catalogue import proof_named
from verif.proofs.mutants import MUTANTS
from verif.proofs.prover import prove


def test_a_proof_and_its_mutants_are_printed_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "proofs.json"
    assert main(["prove", "counters", "--mutants", "--json", str(path)]) == 0
    out = capsys.readouterr().out
    assert "proved" in out
    assert "retired_instructions_not_cleared: n_inst_steps_clears_and_holds in cycle 2" in out
    written = json.loads(path.read_text(encoding="utf-8"))
    assert [each["verdict"] for each in written["proofs"]] == ["proved"]
    assert all(each["as_expected"] for each in written["mutants"])


def test_an_unknown_proof_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "counter"]) == 2
    assert "did you mean counters?" in capsys.readouterr().err


def test_what_is_not_proven_is_a_mismatch(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GA2_TIMEOUT_FACTOR", "0.0001")
    assert main(["prove", "counters"]) == 1
    assert "NOT PROVEN" in capsys.readouterr().out


def test_own_rtl_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("RTL", "own.f")
    assert main(["prove"]) == 2
    assert "RTL=" in capsys.readouterr().err


def test_a_counterexample_is_a_table_of_signals() -> None:
    wrong = next(mutant for mutant in MUTANTS if mutant.name == "retired_instructions_not_cleared")
    result = prove(proof_named(wrong.proof), wrong.sources())
    console = Terminal(width=200)
    with console.capture() as capture:
        console.print(counterexample_table(result))
    rows = [line.split() for line in capture.get().splitlines()]
    assert ["clear_i", "1", "0"] in rows
    assert not any("_EN" in row[0] or "$" in row[0] for row in rows if row)
