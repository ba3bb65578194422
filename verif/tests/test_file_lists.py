"""The user's RTL as a file list: what may stand in it, and that no change of what it includes is missed."""

from pathlib import Path

from verif.sim_make import REPOSITORY, run_make

CHIP = REPOSITORY / "regressions" / "tests" / "rtl" / "never_halts" / "ga2.sv"


def test_list_with_options_a_header_and_a_list_of_its_own(simulator: str, tmp_path: Path) -> None:
    for name in ("lists", "include"):
        (tmp_path / name).mkdir()
    step = "cyc_total + 32'd1"
    assert step in CHIP.read_text()
    chip = CHIP.read_text().replace(step, "cyc_total + `STEP")
    (tmp_path / "lists" / "ga2.sv").write_text(f'`include "chip.svh"\n{chip}')
    (tmp_path / "lists" / "inner.f").write_text("ga2.sv # beside this list\n")
    header = tmp_path / "include" / "chip.svh"
    header.write_text("`define STEP `WIDE\n")
    (tmp_path / "top.f").write_text(
        "+incdir+include // of the header\n+define+WIDE=32'd1\n-f lists/inner.f\n"
    )
    variables = {"RTL": tmp_path / "top.f", "SCRATCHPAD": "words"}

    status, output = run_make(f"build-{simulator}", variables)
    assert status == 0, output
    header.write_text("this is no Verilog\n")
    status, output = run_make(f"build-{simulator}", variables)
    assert status == 2, "the build of before was taken for this one's"
    assert "chip.svh" in output
