"""Each part of a nasty environment finds an error that the same program without it does not find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from verif.tests.conftest import Simulate
from verif.tests.edited_rtl import write_rtl

Edit = tuple[str, str, str]

LOAD, SEQUENCER = "ga2_dma_load.sv", "ga2_sequencer.sv"

REMEMBERS_GAP = (
    (LOAD, "  logic take_response;\n", """  logic gap_q = 1'b0;
  always_ff @(posedge clk_i)
    if (done_o) gap_q <= 1'b0;
    else if (working_q && responses_left_q != length_i && !resp_valid_i) gap_q <= 1'b1;
  logic take_response;
"""),
    (LOAD, "write_addr_q <= dst_i;", "write_addr_q <= dst_i ^ {11'd0, gap_q};"),
)  # fmt: skip
"""rst in an LD leaves a gap in its responses behind, which the next LD takes for one of its own."""

FAULTS_LATE = (
    (SEQUENCER, "  state_e state_q;\n", """  state_e state_q;
  logic [7:0] age_q = '0;
  always_ff @(posedge clk_i) age_q <= (state_q == StBusy) ? age_q + 8'd1 : '0;
"""),
    (SEQUENCER, "  assign fault_o = fault_q;",
     "  assign fault_o = fault_q || start_i && age_q > 8'd45 && opcode == ga2_pkg::OpLoad;"),
)  # fmt: skip
"""A start in a late busy cycle of LD raises fault."""


CUT_AND_DELAYED = "surroundings/long-last-restarted"


@dataclass(frozen=True)
class Case:
    """An error in the chip, the program that shows it, and what that program must not do without."""

    program: str
    edits: tuple[Edit, ...]
    needs: Mapping[str, Any]


CASES = {
    # From its second cycle on rst does not win over start.
    "reset width": Case(
        "surroundings/ld-rst-2-held",
        ((SEQUENCER, "      if (rst_i) begin", "      if (rst_i && !(start_i && state_q == StIdle)) begin"),),
        {"without": ["reset_width"]},
    ),
    # A program that was started after a rst is not cut by another one until one has halted.
    "second reset": Case(
        "surroundings/sm-twice-held",
        (
            (SEQUENCER, "      if (rst_i) begin",
             "      if (rst_i && (!reset_q || state_q == StIdle)) begin\n        reset_q <= 1'b1;"),
            (SEQUENCER, "  state_e state_q;\n", "  state_e state_q;\n  logic reset_q = 1'b0;\n"),
            (SEQUENCER, "              state_q <= StHalted;",
             "              state_q <= StHalted; reset_q <= 1'b0;"),
        ),
        {"without": ["reset_gap"]},
    ),
    # A response in the ISSUE of LD counts for its first.
    "stray responses": Case(
        "surroundings/stray-0",
        ((LOAD, "responses_left_q <= length_i;", "responses_left_q <= length_i - {11'd0, resp_valid_i};"),),
        {"without": ["stray_responses"]},
    ),
    # halted falls after 512 cycles.
    "idle cycles": Case(
        "surroundings/halted-long",
        (
            (SEQUENCER, "  state_e state_q;\n", """  state_e state_q;
  logic [9:0] rest_q = '0;
  always_ff @(posedge clk_i) rest_q <= (state_q != StHalted) ? '0 : rest_q[9] ? rest_q : rest_q + 10'd1;
"""),
            (SEQUENCER, "halted_o = state_q == StHalted", "halted_o = (state_q == StHalted) && !rest_q[9]"),
        ),
        {"without": ["idle_cycles"]},
    ),
    "delays under a reset": Case(CUT_AND_DELAYED, REMEMBERS_GAP, {"without": ["response_delays"]}),
    "reset under delays": Case(CUT_AND_DELAYED, REMEMBERS_GAP, {"without": ["reset_cycle"]}),
    "delays under a start": Case("surroundings/longest-held", FAULTS_LATE, {"without": ["response_delays"]}),
    "start under delays": Case("surroundings/longest-held", FAULTS_LATE, {"without": ["extra_start"]}),
    # A response that comes after 1,024 cycles without any is lost.
    "long latency": Case(
        "latencies/4095-loads",
        (
            (LOAD, "  logic take_response;\n", """  logic [11:0] waited_q = '0;
  always_ff @(posedge clk_i) waited_q <= resp_valid_i || !working_q ? '0 : waited_q + 12'd1;
  logic take_response;
"""),
            (LOAD, "write_data_q <= resp_data_i;",
             "write_data_q <= (waited_q > 12'd1024) ? '0 : resp_data_i;"),
        ),
        {"read_latency": 255},
    ),
}  # fmt: skip


@pytest.mark.slow("verilator")
@pytest.mark.parametrize("name", CASES)
def test_what_it_alone_finds(simulate: Simulate, tmp_path: Path, seed: int, name: str) -> None:
    case = CASES[name]
    rtl = write_rtl(tmp_path, *case.edits)
    report = simulate(
        "stimulus_needed.StimulusNeededTest",
        explain=False,
        rtl=rtl,
        program=case.program,
        seed=seed,
        **case.needs,
    )
    assert not report.passed
    assert {mismatch.program for mismatch in report.mismatches} == {case.program}, report.first_wrong
