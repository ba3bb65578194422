"""An X at the chip's memory ports is a mismatch with its cycle; Verilator shows some value instead."""

from __future__ import annotations

from pathlib import Path

from verif.failure.investigation import run_explained
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect, Mismatch
from verif.simulation.simulation import Simulation
from verif.tests.edited_rtl import write_rtl

FIRST = "delays/1-0-loads"
"""The first program of the test, whose reads are all answered in the next cycle.

It loads 1, 2 and 17 words from word 0, 1 and 0, then stores 20 words to word 300. The loads end in cycles 5,
11 and 32, so that word 2 is requested in cycle 9. The store writes in cycles 37 to 56.
"""


EDITS = (
    (
        "ga2_dma_load.sv",
        "assign req_addr_o = req_addr_q;",
        'logic unknown_request = $test$plusargs("unknown_request") != 0;\n'
        "  assign req_addr_o = unknown_request && req_addr_q == 16'd2 ? 16'hx : req_addr_q;",
    ),
    (
        "ga2_dma_store.sv",
        "assign wr_data_o = wr_data_q;",
        'logic unknown_data = $test$plusargs("unknown_data") != 0;\n'
        "  assign wr_data_o = unknown_data && wr_addr_q == 16'd305 ? 32'hx : wr_data_q;",
    ),
    (
        "ga2_dma_store.sv",
        "assign wr_addr_o = wr_addr_q;",
        'logic unknown_write = $test$plusargs("unknown_write") != 0;\n'
        "  assign wr_addr_o = unknown_write && wr_addr_q == 16'd305 ? 16'hx : wr_addr_q;",
    ),
)
"""Each is awake under its plusarg, so that one build serves all."""


def fail(simulator: str, rtl: str, fault: str, directory: Path) -> RunReport:
    """Run programs under response delays, up to the first that fails, with one edit awake."""
    simulation = Simulation(
        simulator,
        "protocol.RandomDelayTest",
        directory / fault,
        {"seed": 1, "stop_at_mismatch": True},
        rtl=rtl,
        plusargs=(f"+{fault}",),
    )
    report = run_explained(simulation, directory / "failures", shrink=False, window=False)
    assert report.error_kind is None, report.error
    assert report.programs == 1
    assert report.failure is not None
    return report


def first_of(report: RunReport, aspect: Aspect) -> Mismatch:
    return next(each for each in report.mismatches if each.aspect is aspect)


def test_unknown_values_are_mismatches_with_their_cycles(
    simulator: str, rtl_directory: Path, tmp_path: Path
) -> None:
    rtl = write_rtl(rtl_directory, *EDITS)
    seen = "X" if simulator == "icarus" else "0"
    for fault, where, expected in (
        ("unknown_request", "address of request 2 in cycle 9 (2 of 60 are wrong)", "2"),
        ("unknown_write", "address of write 5 in cycle 42 (1 of 70 are wrong)", "305"),
    ):
        report = fail(simulator, rtl, fault, tmp_path)
        assert first_of(report, Aspect.TRAFFIC) == Mismatch(FIRST, Aspect.TRAFFIC, where, expected, seen)
    report = fail(simulator, rtl, "unknown_data", tmp_path)
    assert first_of(report, Aspect.EXT).where == "word 305"
    if simulator == "icarus":
        where = "data of write 5, to word 305 in cycle 42"
        found = Mismatch(FIRST, Aspect.TRAFFIC, where, "a defined value", "X")
        assert first_of(report, Aspect.TRAFFIC) == found
