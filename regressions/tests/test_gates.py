"""`gates`: cells per unit, what grew since the last count, and the exit status of a failing netlist."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from regressions.gates import growth_lines
from regressions.tests.conftest import CommandLine
from verif.netlist.synthesis import Level, Netlist
from verif.run_report import RunReport


def netlist(level: Level, counters: int) -> Netlist:
    cells, copies = {"ga2": 310, "ga2_counters": counters}, {"ga2": 1, "ga2_counters": 2}
    return Netlist(level, Path(f"{level.value}.v"), cells, copies, 1.0)


def test_growth_since_the_last_count_is_reported(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    history, report = str(tmp_path / "history.sqlite"), tmp_path / "gates.json"
    monkeypatch.setattr("regressions.commands.gates.synthesize", lambda level: netlist(level, 100))
    first = command_line("gates", "--cells-only", "--history", history)
    assert first.status == 0, first.output
    assert "grew" not in first.output
    monkeypatch.setattr("regressions.commands.gates.synthesize", lambda level: netlist(level, 103))
    second = command_line("gates", "--cells-only", "--history", history, "--json", str(report))
    assert "ga2_counters grew: 200 cells before, 206 now (+6)" in second.output
    written = json.loads(report.read_text())
    assert written["cells"] == {"ga2": 310, "ga2_counters": 206}
    assert written["before"] == {"ga2": 310, "ga2_counters": 200}
    assert written["good"] is True
    listed = command_line("history", "cells", "--history", history)
    assert listed.status == 0, listed.output
    newest, oldest = [line for line in listed.output.splitlines() if re.search(r"\d", line)]
    assert newest.split()[-3:] == ["516", "ga2_counters", "+6"]
    assert oldest.split()[-2:] == ["510", "—"]


def test_a_netlist_that_compares_nothing_is_a_mismatch(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("regressions.commands.gates.synthesize", lambda level: netlist(level, 1))
    monkeypatch.setattr("regressions.commands.gates.run_netlist", lambda *_: RunReport("T"))
    history = str(tmp_path / "history.sqlite")
    outcome = command_line("gates", "--history", history)
    assert outcome.status == 1
    assert (
        "gates on verilator, directed.DirectedTest: FAILED: nothing was compared; 0 programs"
        in outcome.output
    )
    one = command_line("gates", "--sim", "icarus", "--history", history)
    assert one.status == 1
    assert "words on icarus" in one.output
    assert "verilator" not in one.output
    assert command_line("gates", "--sim", "vcs", "--history", history).status == 2


def test_units_that_come_and_go_are_reported() -> None:
    lines = list(growth_lines({"a": 3, "new": 4}, {"a": 3, "old": 5}))
    assert lines == [
        "new grew: 0 cells before, 4 now (+4)",
        "old shrank: 5 cells before, 0 now (-5)",
    ]
    assert list(growth_lines({"a": 3}, {})) == []
