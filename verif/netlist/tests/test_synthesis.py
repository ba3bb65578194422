"""Synthesis counts cells of each module, and what cannot be synthesized is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from verif.netlist import synthesis
from verif.netlist.synthesis import Level, SynthesisError, synthesize


def test_cells_and_copies_of_each_module(tmp_path: Path) -> None:
    netlist = synthesize(Level.WORDS, tmp_path)
    assert (netlist.copies["ga2_systolic_row"], netlist.copies["ga2_operand_rows"]) == (4, 2)
    assert min(netlist.cells.values()) > 0
    assert netlist.total > sum(netlist.cells.values())
    assert "module ga2_counters" in netlist.path.read_text()


def test_what_does_not_synthesize_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ga2.sv").write_text("module ga2 (input logic a;\nendmodule\n")
    (tmp_path / "ga2.f").write_text(f"{tmp_path / 'ga2.sv'}\n")
    monkeypatch.setattr(synthesis, "FILE_LIST", tmp_path / "ga2.f")
    with pytest.raises(SynthesisError, match="syntax error"):
        synthesize(Level.WORDS, tmp_path)
    (tmp_path / "ga2.sv").write_text("module ga2;\nendmodule\n")
    with pytest.raises(SynthesisError, match="no cells"):
        synthesize(Level.WORDS, tmp_path)


def test_a_synthesis_out_of_time_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SynthesisError, match="out of time"):
        synthesize(Level.GATES, tmp_path, seconds=0.001)
