"""The synthesis check passes on the chip and fails on chips that break one of its rules each."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HDL = Path(__file__).resolve().parents[2]


def check(tree: Path) -> tuple[int, str]:
    """Run the check of a copy of `hdl`; return its exit status and everything it said."""
    command = [sys.executable, str(tree / "hdl" / "lint" / "synthesis_check.py")]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    return result.returncode, result.stdout + result.stderr


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    shutil.copytree(HDL, tmp_path / "hdl")
    return tmp_path


def change(tree: Path, module: str, old: str, new: str) -> None:
    source = tree / "hdl" / "rtl" / f"{module}.sv"
    text = source.read_text()
    assert text.count(old) == 1, f"{module}: {old!r} stands there {text.count(old)} times"
    source.write_text(text.replace(old, new))


def test_the_chip_passes(tree: Path) -> None:
    status, said = check(tree)
    assert (status, said.count("\nok ")) == (0, 4), said


@pytest.mark.parametrize(
    ("module", "old", "new", "complaint"),
    [
        (
            "ga2_argmax",
            "assign write_addr_o = dst_i;",
            "reg [11:0] held; always @* if (wake_i) held = dst_i; assign write_addr_o = held;",
            "ga2_argmax: $dlatch",
        ),
        (
            "ga2_argmax",
            "assign working_o = state_q != StIdle;",
            "assign working_o = (state_q != StIdle) ^ working_o;",
            "does not synthesize",
        ),
        (
            "ga2_vector_add",
            "sum_q <= first_q + $signed(read_data_i)",
            "sum_q <= first_q * $signed(read_data_i)",
            "ga2_vector_add: 1 multipliers in the chip, expected 0",
        ),
        (
            "ga2_systolic_row",
            "sum0_q + a_i * $signed(b_i[7:0])",
            "sum0_q + a_i * $signed(b_i[7:0]) * a_i",
            "ga2_systolic_row: 20 multipliers in the chip, expected 16",
        ),
        (
            "ga2_scratchpad",
            "if (read_i) read_data_o <= mem[read_addr_i];\n  end",
            "end\n  assign read_data_o = mem[read_addr_i];",
            "ga2_scratchpad: the read port is not synchronous",
        ),
        (
            "ga2_scratchpad",
            "mem[write_addr_i] <= write_data_i;",
            "mem[write_addr_i] <= write_data_i; if (read_i) mem[0] <= 0;",
            "ga2_scratchpad: 1 read and 2 write ports",
        ),
        (
            "ga2_counters",
            "cyc_mm_o <= cyc_mm_o + 32'd1",
            "cyc_mm_o <= cyc_mm_o + 32'd2",
            "ga2_counters: $add",
        ),
        (
            "ga2_sequencer",
            "assign awake = rst_i || (state_q != StBusy) || done_i;",
            "assign awake = rst_i || (state_q != StBusy) || (spent_q == length);\n"
            "  logic [15:0] spent_q;\n"
            "  always_ff @(posedge clk_i) spent_q <= (state_q == StBusy) ? spent_q + 16'd1 : 16'd0;",
            "ga2_sequencer: 2 places with arithmetic, expected 1",
        ),
        (
            "ga2",
            ".length_i    (field_c[11:0]),\n      .multiplier_i",
            ".length_i    (field_c[11:0] + 12'd2),\n      .multiplier_i",
            "ga2: 1 places with arithmetic, expected 0",
        ),
        (
            "ga2_argmax",
            "left_q <= length_i;",
            "left_q <= length_i + 12'd3;",
            "computes with a length or a tile size",
        ),
        (
            "ga2_argmax",
            "if (left_q == 12'd1) state_q <= StLastWord;",
            "if (left_q + 12'd3 == 12'd4) state_q <= StLastWord;",
            "computes with a length or a tile size",
        ),
    ],
)
def test_a_chip_that_breaks_a_rule_fails(tree: Path, module: str, old: str, new: str, complaint: str) -> None:
    change(tree, module, old, new)
    status, said = check(tree)
    assert status == 1, said
    assert complaint in said
