"""The user's RTL as a file list: what may stand in it, and that no change of what it includes is missed."""

from pathlib import Path

from verif.simulation.sim_make import REPOSITORY, run_make

CHIP = REPOSITORY / "regressions" / "tests" / "rtl" / "never_halts" / "ga2.sv"


def test_list_with_options_a_header_and_a_list_of_its_own(simulator: str, rtl_directory: Path) -> None:
    for name in ("lists", "include"):
        (rtl_directory / name).mkdir()
    step = "cyc_total + 32'd1"
    assert step in CHIP.read_text()
    chip = CHIP.read_text().replace(step, "cyc_total + `STEP")
    (rtl_directory / "lists" / "ga2.sv").write_text(f'`include "chip.svh"\n{chip}')
    (rtl_directory / "lists" / "inner.f").write_text("ga2.sv # beside this list\n")
    header = rtl_directory / "include" / "chip.svh"
    header.write_text("`define STEP `WIDE\n")
    (rtl_directory / "top.f").write_text(
        "+incdir+include // of the header\n+define+WIDE=32'd1\n-f lists/inner.f\n"
    )
    variables = {"RTL": rtl_directory / "top.f", "SCRATCHPAD": "words"}

    status, output = run_make(f"build-{simulator}", variables)
    assert status == 0, output
    header.write_text("this is no Verilog\n")
    status, output = run_make(f"build-{simulator}", variables)
    assert status == 2, "the build of before was taken for this one's"
    assert "chip.svh" in output
