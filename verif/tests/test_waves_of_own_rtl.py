"""Waves of RTL that is written otherwise than the project's: escaped names, another unit of time."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
import pywellen

from verif.failure.investigation import run_explained
from verif.simulation.simulation import Simulation
from verif.tests.edited_rtl import write_rtl
from verif.waves.declared_names import declared_names
from verif.waves.dump import WaveDump
from verif.waves.leaving import DUMP, PICTURE, SAVE, TEXT
from verif.waves.window import WaveWindow

RELU_IGNORED = ("ga2_requantizer.sv", "relu_i ? 32'd0 : -{25'd0, clamped}", "-{25'd0, clamped}")

ESCAPED = r"""
  wire \bus[0] = clk_i;
  wire \bus[1] = read_i;
  wire [3:0] \wr.data[3:0] = write_data_i[3:0];
  wire [31:0] \a:b$c[7][3] = write_data_i;
endmodule
"""
"""Names as in a Yosys netlist."""


def leave_window(simulator: str, rtl: str, directory: Path) -> Path:
    """Let RTL fail in a program with a relu, and return the folder with its window."""
    simulation = Simulation(
        simulator,
        "directed.DirectedTest",
        directory / "simulation",
        {"seed": 1, "groups": ["requantizer"], "stop_at_mismatch": True},
        rtl=rtl,
        scratchpad="u_scratchpad.mem",
        scratchpad_write="u_scratchpad.write_i,u_scratchpad.write_addr_i,u_scratchpad.write_data_i",
    )
    report = run_explained(simulation, directory / "failures", shrink=False)
    assert report.failure is not None, report.explanation
    folder = Path(report.failure)
    assert json.loads((folder / "report.json").read_text())["waves"]["error"] is None
    assert (folder / PICTURE).stat().st_size > 20_000
    return folder


def require_marked_cycle(folder: Path) -> None:
    """Compare the cycle and the word that the text marks with those of the report."""
    found = json.loads((folder / "report.json").read_text())
    text = (folder / TEXT).read_text()
    assert f" *{found['cycle']}*" in text
    assert f" *{found['found']['data'] - (1 << 32)}*" in text


def test_escaped_names_have_their_waves(simulator: str, rtl_directory: Path, tmp_path: Path) -> None:
    edits = RELU_IGNORED, ("ga2_scratchpad.sv", "\nendmodule\n", ESCAPED)
    folder = leave_window(simulator, write_rtl(rtl_directory, *edits), tmp_path)
    require_marked_cycle(folder)
    names = set(declared_names(folder / DUMP).values())
    escaped = {
        each.replace("\\", "") for each in names if "bus[" in each or "wr.data" in each or "a:b" in each
    }
    unit = "ga2_tb.dut.u_scratchpad"
    assert escaped == {
        f"{unit}.bus[0]",
        f"{unit}.bus[1]",
        f"{unit}.wr.data[3:0][3:0]",
        f"{unit}.a:b$c[7][3][31:0]",
    }
    listed = re.findall(r"^(?:\+\{.*\} )?(ga2_tb\.\S+)$", (folder / SAVE).read_text(), re.MULTILINE)
    assert set(listed) <= names
    assert escaped <= {each.replace("\\", "") for each in listed}


@pytest.mark.slow("verilator")  # a build of its own
def test_cycles_in_femtoseconds_begin_at_clock_edges(
    simulator: str, rtl_directory: Path, tmp_path: Path
) -> None:
    rtl = write_rtl(rtl_directory, RELU_IGNORED, first="`timescale 1fs/1fs\n")
    folder = leave_window(simulator, rtl, tmp_path)
    require_marked_cycle(folder)
    waves = json.loads((folder / "report.json").read_text())["waves"]
    dump = WaveDump(folder / DUMP)
    edges = list(dump.cycles(WaveWindow(waves["first"], waves["last"])).values())
    assert {later - earlier for earlier, later in pairwise(edges)} == {dump.period} == {10_000_000}
    (clock,) = (
        each for each in pywellen.Waveform(str(folder / DUMP)).all_vars() if each.full_name == "ga2_tb.clk"
    )
    assert {(clock.signal.value_at(edge - 1), clock.signal.value_at(edge)) for edge in edges[1:]} == {(0, 1)}
