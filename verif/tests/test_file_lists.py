"""The user's RTL as a file list: what may stand in it, and that no change of what it reads is missed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verif.simulation.plain_path import REPOSITORY
from verif.simulation.sim_make import run_make

CHIP = REPOSITORY / "regressions" / "tests" / "rtl" / "never_halts" / "ga2.sv"
STEP = "cyc_total + 32'd1"


def written_list(directory: Path) -> dict[str, object]:
    """Write a chip with a header, a deeper one and a module of a library; return what chooses it."""
    for name in ("my lïst", "my include", "lib/sub"):
        (directory / name).mkdir(parents=True)
    assert STEP in CHIP.read_text()
    chip = (
        CHIP.read_text().replace(STEP, "cyc_total + `STEP").replace("endmodule", "unit u_unit ();\nendmodule")
    )
    (directory / "my lïst" / "ga2.sv").write_text(f'`include "chip.svh"\n{chip}')
    (directory / "my lïst" / "inner.f").write_text("ga2.sv # beside this list")
    (directory / "my include" / "chip.svh").write_text("`define STEP `WIDE\n")
    (directory / "lib" / "unit.sv").write_text('module unit;\n`include "sub/unit.svh"\nendmodule\n')
    (directory / "lib" / "sub" / "unit.svh").write_text("wire used = 1'b1;\n")
    options = '"+incdir+my include" +incdir+lib // of the headers\n'
    options += "+define+UNUSED+WIDE=32'd1 -y lib +libext+.sv+.v\n"
    (directory / "my top.f").write_text(f'{options}-f "my lïst/inner.f"')
    return {"RTL": directory / "my top.f", "SCRATCHPAD": "words"}


def test_everything_that_a_list_leads_to_is_an_input_of_the_build(
    simulator: str, rtl_directory: Path
) -> None:
    variables = written_list(rtl_directory)
    status, output = run_make(f"build-{simulator}", variables)
    assert status == 0, output
    newest = max(
        (REPOSITORY / "build").glob(f"{simulator}*/inputs.json"), key=lambda path: path.stat().st_mtime
    )
    inputs = {Path(path).resolve() for path in json.loads(newest.read_text())}
    for file in ("my lïst/ga2.sv", "my include/chip.svh", "lib/unit.sv", "lib/sub/unit.svh"):
        assert rtl_directory / file in inputs
    (rtl_directory / "lib" / "sub" / "unit.svh").write_text("this is not Verilog\n")
    status, output = run_make(f"build-{simulator}", variables)
    assert status == 2, "the build of before was taken for this one's"
    assert "lib/sub/unit.svh" in output


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("-f top.f", "top.f: the list includes itself"),
        ("--pipe-filter evil", "top.f: option '--pipe-filter' is not allowed; allowed are "),
        ("no/such.sv", "no such source file: no/such.sv (from RTL="),
        ("-f no/such.f", "no such source file: no/such.f (from RTL="),
    ],
)
def test_invalid_list_is_reported_in_a_line(
    text: str, says: str, simulator: str, rtl_directory: Path
) -> None:
    (rtl_directory / "top.f").write_text(text)
    status, output = run_make(f"build-{simulator}", {"RTL": rtl_directory / "top.f"})
    assert status == 2
    assert output.startswith("sim.mk: ")
    assert says in output
    assert output.count("\n") == 1
