"""`shrink` on what passes, on what fails and on bad input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from regressions.tests.conftest import CommandLine
from regressions.tests.test_reproduce_and_diff import folder_of
from sequences.golden import GOLDEN_DIRECTORY
from sequences.stimulus import Stimulus
from verif.qualification.mutated_rtl import RTL
from verif.waves.dump import WaveDump

BUNDLE = GOLDEN_DIRECTORY / "vadd-argmax.json"


def test_a_bundle_that_passes_is_not_shrunk(simulator: str, command_line: CommandLine) -> None:
    outcome = command_line("shrink", GOLDEN_DIRECTORY / "load-store.json", "--sim", simulator)
    assert (outcome.status, outcome.output) == (2, "")
    assert outcome.error.endswith(f"load-store.json passes on {simulator}: there is nothing to shrink\n")
    assert outcome.error.count("\n") == 1


def test_a_folder_that_passes_is_not_shrunk(
    simulator: str, command_line: CommandLine, tmp_path: Path
) -> None:
    outcome = command_line("shrink", folder_of(tmp_path, simulator, Stimulus()))
    assert (outcome.status, outcome.output) == (2, "")
    assert outcome.error.endswith(f"{tmp_path} passes now: there is nothing to shrink\n")
    assert outcome.error.count("\n") == 1


def test_a_bundle_that_fails_and_its_folder(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, rtl_directory: Path, tmp_path: Path
) -> None:
    """On one simulator; verif/tests/test_shrinking.py has both."""
    monkeypatch.setenv("RTL", str(_without_relu(rtl_directory)))
    bundle = tmp_path / "failing.json"
    shutil.copy(GOLDEN_DIRECTORY / "requant-edges.json", bundle)
    outcome = command_line("shrink", bundle, "--sim", "icarus")
    assert outcome.status == 1
    assert "shrunk to 1 instruction: RQ 1 0 1 1 0 1\n" in outcome.output
    folder = Path(outcome.output.split("reproduce ")[1].splitlines()[0].removesuffix(")"))
    for dump in (folder / "window.fst", folder / "shrunk" / "window.fst"):
        names = WaveDump(dump).names  # RTL of the user's own has no mirrors
        assert not any("u_mirrors" in name for name in names)
        assert any(name.startswith("ga2_tb.dut.u_requantizer.") for name in names)
    monkeypatch.delenv("RTL")
    kept = shutil.copytree(folder, tmp_path / "kept here")
    shutil.rmtree(folder)
    before = {path.name: path.read_text() for path in (kept / "shrunk").glob("program*.json")}
    assert before
    text = (kept / "report.txt").read_text()
    shutil.rmtree(kept / "shrunk")

    again = command_line("shrink", kept)
    assert again.status == 1
    assert again.output.startswith("shrunk to 1 instruction: RQ 1 0 1 1 0 1\n")
    assert f" -m regressions reproduce '{kept / 'shrunk'}')\n" in again.output
    assert {path.name: path.read_text() for path in (kept / "shrunk").glob("program*.json")} == before
    assert (kept / "report.txt").read_text() == text
    assert again.output.endswith(f" -m regressions waves '{kept / 'shrunk'}')\n")
    assert (kept / "shrunk" / "window.png").exists()

    shutil.copytree(kept / "shrunk", kept / "shrunk" / "shrunk")  # what a search on other RTL came to
    smallest = command_line("shrink", kept / "shrunk")
    assert smallest.status == 1
    assert smallest.output == "it is not shrunk: nothing smaller that was tried fails like that\n"
    assert not (kept / "shrunk" / "shrunk").exists()
    report = json.loads((kept / "shrunk" / "report.json").read_text())
    assert report["shrunk"]["folder"] is None
    assert "  shrunk       no: nothing smaller that was" in (kept / "shrunk" / "report.txt").read_text()

    (kept / "shrunk" / "report.json").write_text(json.dumps({**report, "cycle": 1}))
    other = command_line("shrink", kept / "shrunk")
    assert other.output.startswith("ANOTHER divergence than the recorded one: ")


def _without_relu(directory: Path) -> Path:
    """Write a copy of the RTL that ignores relu, and return its file list."""
    for file in RTL.glob("ga2*"):
        shutil.copy(file, directory)
    unit, names = directory / "ga2_requantizer.sv", directory / "ga2.f"
    right = "relu_i ? 32'd0 : -{25'd0, clamped}"
    assert right in unit.read_text()
    unit.write_text(unit.read_text().replace(right, "-{25'd0, clamped}"))
    names.write_text(names.read_text().replace("hdl/rtl/", ""))
    return names


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["shrink", "no-such.json"], "no-such.json: cannot be read"),
        (["shrink", BUNDLE, "--sim", "model"], "--sim: unknown name 'model'; there are icarus, verilator"),
        (
            ["shrink", GOLDEN_DIRECTORY],
            "report.json: cannot be read: No such file or directory; name the folder",
        ),
        (["shrink", GOLDEN_DIRECTORY, "--sim", "icarus"], "a failure's folder names its own simulator"),
    ],
)
def test_bad_input_is_told_in_a_line(arguments: list[object], says: str, command_line: CommandLine) -> None:
    outcome = command_line(*arguments)
    assert outcome.status == 2
    assert says in outcome.error
    assert outcome.error.count("\n") == 1


def test_a_folder_whose_rtl_is_gone(
    simulator: str, command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RTL", raising=False)
    folder = folder_of(tmp_path, simulator, Stimulus(), chip={"RTL": "/no/such/list.f"})
    outcome = command_line("shrink", folder)
    assert outcome.status == 2
    assert "no such source file: /no/such/list.f (from RTL=" in outcome.error
    assert outcome.error.count("\n") == 1
