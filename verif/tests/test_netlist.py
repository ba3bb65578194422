"""The synthesized chip in the bench: it passes, and one changed cell is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verif.netlist.synthesis import NETLISTS, Level, synthesize
from verif.run_report import RunReport
from verif.simulation.simulation import Simulation

PROGRAMS = ["golden/load-store", "golden/softmax", "golden/matmul-plain"]


def run(simulator: str, directory: Path, netlist: Path) -> RunReport:
    parameters = {"programs": PROGRAMS, "seed": 1}
    return Simulation(
        simulator, "named_programs.NamedProgramsTest", directory, parameters, rtl=str(netlist)
    ).run()


@pytest.mark.slow("verilator")
def test_word_level_netlist_passes(simulator: str, run_directory: Path) -> None:
    report = run(simulator, run_directory, synthesize(Level.WORDS, NETLISTS / "tested").path)
    assert report.passed, report.first_wrong
    assert report.programs == len(PROGRAMS)


@pytest.mark.slow("verilator")
def test_one_changed_cell_is_found(simulator: str, run_directory: Path, tmp_path: Path) -> None:
    text = synthesize(Level.WORDS, tmp_path).path.read_text()
    broken, count = re.subn(r"(module ga2_counters\(.*?) \+ ", r"\1 - ", text, count=1, flags=re.DOTALL)
    assert count == 1
    (tmp_path / "broken.v").write_text(broken)
    report = run(simulator, run_directory, tmp_path / "broken.v")
    assert not report.passed
    assert report.mismatches


@pytest.mark.slow
def test_gate_level_netlist_passes(simulator: str, run_directory: Path) -> None:
    if simulator == "icarus":
        pytest.skip("a second for twenty cycles; the level of words runs there")
    report = run(simulator, run_directory, synthesize(Level.GATES, NETLISTS / "tested").path)
    assert report.passed, report.first_wrong
