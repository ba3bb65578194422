"""Output of tools and RTL that is not UTF-8, or steers a terminal, is shown as text and loses no result."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from verif.simulation.plain_path import REPOSITORY
from verif.simulation.process_group import run_in_group
from verif.simulation.simulation import BrokenSimulationError
from verif.simulation.tools import first_line
from verif.tests.conftest import Simulate

CHIP = (REPOSITORY / "hdl" / "tb" / "misbehaving" / "ga2.sv").read_bytes()


def chip_with(line: bytes, directory: Path) -> str:
    """Write RTL with one more line at its end, in Latin-1, and return its file."""
    path = directory / "ga2.sv"
    path.write_bytes(CHIP.replace(b"\nendmodule", b"\n" + line + b"\n\nendmodule"))
    return str(path)


@pytest.mark.slow("verilator")  # the log is read in the same way
def test_rtl_that_ends_in_latin_1_is_a_broken_simulation(simulate: Simulate, rtl_directory: Path) -> None:
    fatal = 'initial #100 $fatal(1, "Überlauf \x1b[2J");'.encode("latin-1")
    with pytest.raises(BrokenSimulationError, match=r"�berlauf \\x1b\[2J$"):
        simulate(
            "broken_bench.MisbehavingChipTest",
            rtl=chip_with(fatal, rtl_directory),
            scratchpad="mem",
            explain=False,
        )


def test_output_of_a_command_is_printable(tmp_path: Path) -> None:
    status, output = run_in_group(["printf", r"\374\033[31m\n\a"], tmp_path, {"PATH": "/usr/bin:/bin"})
    assert (status, output) == (0, "�\\x1b[31m\n\\x07")
    _, output = run_in_group(["printf", "%05000d"], tmp_path, {"PATH": "/usr/bin:/bin"})
    assert output == f"{'0' * 1333}…(3,000 left out)…{'0' * 667}"
    assert first_line("printf", r"1.0\374\033") == "1.0�\\x1b"


def test_every_call_of_a_tool_takes_any_bytes() -> None:
    """Text without a rule for what is not UTF-8 ends in a traceback."""
    strict = []
    for package in ("refmodel", "sequences", "verif", "regressions", "hdl", "tools"):
        for path in (REPOSITORY / package).rglob("*.py"):
            if "tests" in path.parts:
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    given = {keyword.arg for keyword in node.keywords}
                    if given & {"capture_output", "stdout"} and given & {
                        "text",
                        "encoding",
                        "universal_newlines",
                    }:
                        strict += [] if "errors" in given else [f"{path}:{node.lineno}"]
    assert strict == []
