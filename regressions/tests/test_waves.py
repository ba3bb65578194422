"""`waves` and `--waves` on what cannot be shown; verif/tests/test_wave_files.py has the good folders."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from regressions.replaying import ReplayReport, replay_bundle
from regressions.tests.conftest import CommandLine
from sequences.golden import GOLDEN_DIRECTORY
from verif.waves.dump import WaveError
from verif.waves.viewing import open_viewer

BUNDLE = GOLDEN_DIRECTORY / "load-store.json"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["waves", "no/such/folder"],
            "no/such/folder/window.fst: no such file; name the folder of a failure",
        ),
        (["waves", GOLDEN_DIRECTORY], "window.fst: no such file"),
        (["replay", BUNDLE, "--waves", "al"], "--waves: unknown name 'al'; there are window, all, none"),
        (["replay", BUNDLE, "--waves", "all"], "--waves all: the model has no signals; name one of icarus"),
        (
            ["replay", BUNDLE, "--sim", "icarus", "--waves-file", "x.fst"],
            "--waves-file: only --waves all goes to a file",
        ),
        (
            ["replay", BUNDLE, "--sim", "icarus", "--waves", "all", "--waves-file", "no/such/x.fst"],
            "no/such/x.fst: there is no directory no/such",
        ),
    ],
)
def test_bad_input_is_told_in_a_line(arguments: list[object], says: str, command_line: CommandLine) -> None:
    outcome = command_line(*arguments)
    assert outcome.status == 2
    assert says in outcome.error
    assert outcome.error.count("\n") == 1


def test_a_text_that_is_none_is_told_in_a_line(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verif.waves.viewing.WaveDump", Path)  # the dump beside it is whole
    (tmp_path / "window.fst").touch()
    (tmp_path / "window.txt").write_bytes(b"\xff\xfe")
    outcome = command_line("waves", tmp_path)
    assert (outcome.status, outcome.output) == (2, "")
    assert "window.txt is damaged (begins with a byte order mark" in outcome.error
    assert outcome.error.count("\n") == 1


@pytest.mark.parametrize(
    ("left", "problem"),
    [
        (None, "icarus has left no waves there"),
        (b"cut", "unknown file format"),
    ],
)
@pytest.mark.parametrize("wrong", [(), ("one", "two")])
def test_waves_that_are_not_whole_are_not_announced(
    left: bytes | None,
    problem: str,
    wrong: tuple[str, ...],
    command_line: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The result is shown all the same, and a mismatch decides the exit status."""
    file = tmp_path / "x.fst"

    def simulated(*_: object, **__: object) -> ReplayReport:
        if left is not None:
            file.write_bytes(left)
        return replace(replay_bundle(BUNDLE, "model"), mismatches=wrong)

    monkeypatch.setattr("regressions.commands.replay.replay_bundle", simulated)
    outcome = command_line("replay", BUNDLE, "--sim", "icarus", "--waves", "all", "--waves-file", file)
    assert outcome.status == (1 if wrong else 2)
    assert outcome.output.startswith("icarus: halted  cyc_total ")
    (line,) = (line for line in outcome.error.splitlines() if str(file) in line)
    assert line.startswith(f"{'warning' if wrong else 'error'}: {file}")
    assert problem in line


def test_bundles_of_one_name_have_waves_of_their_own(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []

    def noted(bundle: Path, _: str, waves: Path, **__: object) -> ReplayReport:
        files.append(waves)
        return replay_bundle(bundle, "model")

    monkeypatch.setattr("regressions.commands.replay.replay_bundle", noted)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        shutil.copy(BUNDLE, tmp_path / name / "program-00.json")
        command_line("replay", tmp_path / name / "program-00.json", "--sim", "icarus", "--waves", "all")
    assert len(set(files)) == 2


@pytest.mark.parametrize(
    ("line", "is_opened"),
    [
        ("^1 ./opcodes.filter", True),
        ("^>1 /tmp/evil", False),
        ("  ^>1 ./opcodes.filter", False),
        ("^<1 evil", False),
        ("^1 /etc/passwd", False),
    ],
)
def test_save_file_that_would_start_a_program_is_not_opened(
    line: str, is_opened: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    monkeypatch.setattr("verif.waves.viewing.shutil.which", lambda _: "/usr/bin/gtkwave")
    monkeypatch.setattr("verif.waves.viewing.subprocess.Popen", lambda command, **_: opened.append(command))
    monkeypatch.setenv("DISPLAY", ":0")
    (tmp_path / "window.gtkw").write_text(f"[*] by GTKWave\n@22\n{line}\nga2_tb.opcode\n")
    if is_opened:
        open_viewer(tmp_path)
    else:
        with pytest.raises(WaveError, match=r"names a filter other than opcodes\.filter"):
            open_viewer(tmp_path)
    assert bool(opened) == is_opened


def test_a_dump_cut_short_is_told_in_a_line(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "window.fst").write_bytes(b"\0" * 400)
    (tmp_path / "window.txt").write_text("a text\n")
    outcome = command_line("waves", tmp_path)
    assert (outcome.status, outcome.output) == (2, "")
    assert "window.fst is not a whole FST file" in outcome.error
    assert outcome.error.count("\n") == 1
