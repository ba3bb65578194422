"""What a failure leaves of its waves, and that each file shows the mismatch."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import pywellen

from refmodel.machine.report_lines import COLUMNS
from verif.failure.investigation import explanation_lines, run_explained
from verif.qualification.mutants import MUTANTS
from verif.qualification.qualify import prepare, simulation_of
from verif.run_report import RunReport
from verif.shell_line import command_line
from verif.waves.declared_names import declared_names
from verif.waves.dump import WaveDump, WaveError
from verif.waves.leaving import DUMP, OPCODES, PICTURE, SAVE, TEXT
from verif.waves.save_file import opcode_filter
from verif.waves.viewing import open_viewer, read_window

HAS_GTKWAVE = shutil.which("gtkwave") and shutil.which("xvfb-run")

LIST_TRACES = """
for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {
  puts "TRACE [gtkwave::getTraceNameFromIndex $i] [gtkwave::getTraceValueAtMarkerFromIndex $i]"
}
puts "MARKER [gtkwave::getMarker]"
gtkwave::/File/Quit
"""


def fail(simulator: str, name: str, directory: Path, *, window: bool = True) -> RunReport:
    """Let a mutant fail and be explained."""
    (mutant,) = (mutant for mutant in MUTANTS if mutant.name == name)
    simulation = simulation_of(mutant, simulator, prepare(), directory / "simulation")
    return run_explained(simulation, directory / "failures", shrink=False, window=window)


@pytest.fixture
def folder(relu_failure: RunReport) -> Path:
    assert relu_failure.failure is not None
    return Path(relu_failure.failure)


def test_the_report_names_the_files(relu_failure: RunReport, folder: Path) -> None:
    found = json.loads((folder / "report.json").read_text())
    waves = found["waves"]
    assert (waves["file"], waves["error"]) == (DUMP, None)
    assert waves["first"] < found["cycle"] < waves["last"]
    text = (folder / "report.txt").read_text()
    assert f"waves        cycles {waves['first']}..{waves['last']} in {DUMP}; " in text
    for file in (DUMP, SAVE, PICTURE, TEXT):
        assert file in text
    assert explanation_lines(relu_failure)[-1] == f"see its waves: {command_line('waves', folder)}"


def test_the_text_marks_the_mismatch(folder: Path) -> None:
    found = json.loads((folder / "report.json").read_text())
    lines = (folder / TEXT).read_text().splitlines()
    assert max(map(len, lines)) <= COLUMNS
    (instruction,) = (line for line in lines if line.startswith(">"))
    assert f"{found['pc']}: RQ" in instruction
    (cycles,) = (line for line in lines if line.startswith("  cycle "))
    column = cycles.index(f"*{found['cycle']}*")
    wrong = found["found"]["data"] - (1 << 32)
    assert _cell(lines, "data", column) == f"*{wrong}*"
    assert _cell(lines, "expected", column) == str(found["expected"]["data"])
    assert _cell(lines, "address", column) == str(found["found"]["address"])
    assert _cell(lines, "scratchpad write", column) == "#"
    assert "FI" in next(line for line in lines if line.startswith("  phase"))
    assert read_window(folder).splitlines() == lines


def _cell(lines: list[str], label: str, column: int) -> str:
    """Return the last lane of that name in the column of the mismatch, as the table comes last."""
    line = [line for line in lines if line.strip().startswith(label)][-1]
    return next(
        match.group()
        for match in re.finditer(r"\S+", line)
        if match.start() <= column + 5 and match.end() > column
    )


def test_the_picture_is_one(folder: Path) -> None:
    content = (folder / PICTURE).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert len(content) > 20_000


def test_every_signal_of_the_save_file_is_in_the_dump(folder: Path) -> None:
    declared = declared_names(folder / DUMP)
    by_name, by_reader = (
        {name for name in names if "[" not in name.rpartition(".")[2]}  # not the elements of arrays
        for names in (declared, WaveDump(folder / DUMP).names)
    )
    assert by_name == by_reader
    assert declared["ga2_tb.dut.u_sequencer.turn_o"] == "ga2_tb.dut.u_sequencer.turn_o[7:1]"
    listed = re.findall(r"^(?:\+\{.*\} )?(ga2_tb\.\S+)$", (folder / SAVE).read_text(), re.MULTILINE)
    assert len(listed) > 100
    assert set(listed) <= set(declared.values())
    assert (folder / OPCODES).read_text() == opcode_filter()
    assert opcode_filter().splitlines()[:2] == ["0 HALT", "1 LD"]


@pytest.mark.skipif(
    not HAS_GTKWAVE, reason="GTKWave or xvfb-run is not installed (Debian: gtkwave xvfb xauth)"
)
def test_gtkwave_finds_every_signal_of_a_folder_that_was_moved(folder: Path, tmp_path: Path) -> None:
    script = tmp_path / "list.tcl"
    script.write_text(LIST_TRACES)
    moved = shutil.copytree(folder, tmp_path / "moved")
    command = ["xvfb-run", "-a", "gtkwave", "--script", str(script), str(moved / SAVE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True, cwd=tmp_path)
    output = done.stdout
    shown = re.findall(r"^TRACE (\S+(?: \S+)*) (\S*)$", output, re.MULTILINE)
    saved = (folder / SAVE).read_text().splitlines()
    listed = [line for line in saved if line.startswith(("ga2_tb.", "+{", "-"))]
    assert len(re.findall("^TRACE ", output, re.MULTILINE)) == len(listed)
    assert ("opcode[3:0]", "RQ") in shown
    found = json.loads((folder / "report.json").read_text())
    assert ("cycle", str(found["cycle"])) in shown
    assert ("data", str(found["found"]["data"] - (1 << 32))) in shown
    marker = next(line for line in saved if line.startswith("*")).split()[1]
    assert f"MARKER {marker}" in output


def test_a_dump_cut_short_is_told_in_a_line(folder: Path, tmp_path: Path) -> None:
    content = (folder / DUMP).read_bytes()
    for length in (0, 100, len(content) // 2, len(content) - 200):
        (tmp_path / DUMP).write_bytes(content[:length])
        with pytest.raises(WaveError, match=r"is not a whole FST file \(.*run it again$") as raised:
            WaveDump(tmp_path / DUMP)
        assert "\n" not in str(raised.value)
    with pytest.raises(WaveError, match="no such file"):
        WaveDump(tmp_path / "other.fst")


def test_a_dump_that_its_reader_stumbles_over_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PanicException(BaseException):
        pass

    def stumble(_: str) -> None:
        raise PanicException("not yet implemented:\n  entry of type 101")

    monkeypatch.setattr(pywellen, "Waveform", stumble)
    (tmp_path / DUMP).write_bytes(b"damaged")
    with pytest.raises(WaveError, match=r"FST file \(not yet implemented: entry of type 101\): a simulation"):
        WaveDump(tmp_path / DUMP)


def test_a_missing_viewer_is_told_in_a_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(
        WaveError, match=r"^gtkwave is not installed: install the Debian package gtkwave, or look at"
    ):
        open_viewer(folder)
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/gtkwave")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(WaveError, match=r"^gtkwave needs a screen"):
        open_viewer(folder)


@pytest.mark.slow("icarus")
def test_a_hang_has_its_window(hang_failure: RunReport) -> None:
    assert hang_failure.failure is not None
    text = (Path(hang_failure.failure) / TEXT).read_text()
    assert text.startswith("  hang in cycle ")
    assert "  found        nothing more\n" in text
    assert text.count("*busy*") == 1
    assert "  expected " not in text.partition("cycles ")[2]


@pytest.mark.slow("icarus")
def test_without_a_window_there_is_none(simulator: str, tmp_path: Path) -> None:
    report = fail(simulator, "relu_ignored", tmp_path, window=False)
    assert report.failure is not None
    assert not list(Path(report.failure).glob("window.*"))
    assert "waves" not in json.loads((Path(report.failure) / "report.json").read_text())


@pytest.mark.slow("verilator")
def test_a_disk_that_is_full_leaves_no_half_window(
    simulator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def move(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:100])
        if target.name == PICTURE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("verif.waves.leaving.shutil.move", move)
    report = fail(simulator, "relu_ignored", tmp_path)
    assert report.failure is not None
    folder = Path(report.failure)
    problem = f"the waves are missing: {folder} cannot be written: No space left on device"
    assert report.explanation.endswith(problem)
    assert not [*folder.glob("window.*"), *folder.glob("opcodes.*")]
    assert "No space left on device" in json.loads((folder / "report.json").read_text())["waves"]["error"]


@pytest.mark.slow("icarus")
def test_waves_that_cannot_be_had_hide_no_divergence(
    simulator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verif.waves.leaving.what_is_missing", lambda _: "cycle 7 is not in it")
    report = fail(simulator, "relu_ignored", tmp_path)
    assert report.failure is not None
    problem = f"the waves are missing: {DUMP} does not show the divergence: cycle 7 is not in it"
    assert report.explanation.startswith("first divergence: wrong data")
    assert report.explanation.endswith(problem)
    folder = Path(report.failure)
    assert "cycle 7 is not in it" in " ".join((folder / "report.txt").read_text().split())
    assert json.loads((folder / "report.json").read_text())["waves"]["file"] is None
    assert not (folder / TEXT).exists()
