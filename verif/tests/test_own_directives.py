"""Compiler directives in the user's RTL: none of them may change what the harness measures."""

from pathlib import Path

import pytest

from verif.simulation.simulation import SimulationError
from verif.tests.conftest import Simulate
from verif.tests.edited_rtl import write_rtl

BEHIND_THE_CHIP = "`default_nettype none\n`celldefine\n`unconnected_drive pull1\n"
"""Directives that stay in force for all files behind."""


@pytest.mark.parametrize(
    "timescale",
    [
        "1ps/1ps",
        pytest.param("10ns/10ns", marks=pytest.mark.slow),
        pytest.param("1us/1us", marks=pytest.mark.slow),
        pytest.param("1fs/1fs", marks=pytest.mark.slow("verilator")),
    ],
)
def test_own_timescale_leaves_every_comparison_equal(
    timescale: str, simulate: Simulate, seed: int, rtl_directory: Path
) -> None:
    rtl = write_rtl(rtl_directory, first=f"`timescale {timescale}\n", last=BEHIND_THE_CHIP)
    report = simulate("protocol.RandomDelayTest", seed=seed, rtl=rtl, scratchpad="u_scratchpad.mem")
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))


def test_macros_of_the_chip_do_not_reach_the_harness(simulate: Simulate, rtl_directory: Path) -> None:
    macros = "GA2_MIRRORS", "GA2_SCRATCHPAD_WRITE no_such_signal", "VERILATOR"
    rtl = write_rtl(rtl_directory, first="".join(f"`define {macro}\n" for macro in macros))
    report = simulate(
        "directed.DirectedTest", rtl=rtl, scratchpad="u_scratchpad.mem", groups=["vectors"], seed=1
    )
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))


def test_time_unit_as_an_option_is_refused(simulate: Simulate, rtl_directory: Path) -> None:
    rtl = write_rtl(rtl_directory, options=["+timescale+1ps/1ps"])
    with pytest.raises(SimulationError, match=r"option '\+timescale\+1ps/1ps' is not allowed"):
        simulate("protocol.RandomDelayTest", seed=1, rtl=rtl, scratchpad="u_scratchpad.mem")
