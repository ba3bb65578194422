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


def fail(simulator: str, file: str, before: str, after: str, directory: Path, tmp_path: Path) -> RunReport:
    """Run programs under response delays, up to the first that fails, on RTL with one edit."""
    simulation = Simulation(
        simulator,
        "protocol.RandomDelayTest",
        tmp_path / "simulation",
        {"seed": 1, "stop_at_mismatch": True},
        rtl=write_rtl(directory, (file, before, after)),
    )
    report = run_explained(simulation, tmp_path / "failures", shrink=False, window=False)
    assert report.error_kind is None, report.error
    assert report.programs == 1
    assert report.failure is not None
    return report


def first_of(report: RunReport, aspect: Aspect) -> Mismatch:
    return next(each for each in report.mismatches if each.aspect is aspect)


def test_unknown_request_address_is_a_mismatch_with_its_cycle(
    simulator: str, rtl_directory: Path, tmp_path: Path
) -> None:
    before = "assign req_addr_o = req_addr_q;"
    after = "assign req_addr_o = req_addr_q == 16'd2 ? 16'hx : req_addr_q;"
    report = fail(simulator, "ga2_dma_load.sv", before, after, rtl_directory, tmp_path)
    where = "address of request 2 in cycle 9 (2 of 60 are wrong)"
    found = "X" if simulator == "icarus" else "0"
    assert first_of(report, Aspect.TRAFFIC) == Mismatch(FIRST, Aspect.TRAFFIC, where, "2", found)


def test_unknown_store_data_is_a_mismatch_with_its_cycle(
    simulator: str, rtl_directory: Path, tmp_path: Path
) -> None:
    before = "assign wr_data_o = wr_data_q;"
    after = "assign wr_data_o = wr_addr_o == 16'd305 ? 32'hx : wr_data_q;"
    report = fail(simulator, "ga2_dma_store.sv", before, after, rtl_directory, tmp_path)
    assert first_of(report, Aspect.EXT).where == "word 305"
    if simulator == "icarus":
        where = "data of write 5, to word 305 in cycle 42"
        found = Mismatch(FIRST, Aspect.TRAFFIC, where, "a defined value", "X")
        assert first_of(report, Aspect.TRAFFIC) == found


def test_unknown_write_address_is_a_mismatch_with_its_cycle(
    simulator: str, rtl_directory: Path, tmp_path: Path
) -> None:
    before = "assign wr_addr_o = wr_addr_q;"
    after = "assign wr_addr_o = wr_addr_q == 16'd305 ? 16'hx : wr_addr_q;"
    report = fail(simulator, "ga2_dma_store.sv", before, after, rtl_directory, tmp_path)
    where = "address of write 5 in cycle 42 (1 of 70 are wrong)"
    found = "X" if simulator == "icarus" else "0"
    assert first_of(report, Aspect.TRAFFIC) == Mismatch(FIRST, Aspect.TRAFFIC, where, "305", found)
