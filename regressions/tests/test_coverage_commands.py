"""`coverage report|holes|merge|grade|export` from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from regressions.coverage import databases
from regressions.exit_status import ExitStatus
from regressions.tests.conftest import CommandLine
from regressions.tests.coverage_databases import HALTED, IDLE, NO_RELU, RELU, database, run
from verif.coverage.database_file import load_database, save_database
from verif.coverage.model import load_model
from verif.simulation.plain_path import REPOSITORY

MODEL = load_model()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Return a directory with three databases, one of a failed run."""
    parts = {
        "one": database({run("x.py::test_a[vectors]"): [RELU, IDLE]}),
        "two": database({run("x.py::test_b", 2, "verilator"): [NO_RELU, RELU]}),
        "three": database({run("x.py::test_c"): [HALTED]}, failed=[run("x.py::test_c")]),
    }
    for name, each in parts.items():
        save_database(tmp_path / f"{name}.json", each, MODEL)
    return tmp_path


def test_report_shows_every_item(command_line: CommandLine, directory: Path) -> None:
    found = command_line("coverage", "report", directory)
    assert found.status == ExitStatus.GOOD
    assert all(item.name in found.output for item in MODEL)
    assert f"1 of {len(MODEL.items)} items at their goal" in found.output
    assert "1 failed run does not count" in found.output


def test_report_of_one_item_tells_first_hits(command_line: CommandLine, directory: Path) -> None:
    found = command_line("coverage", "report", directory, "--item", "fused_relu")
    assert "2 of 2 bins (100.0 %), goal 100 %" in found.output
    words = " ".join(found.output.split())
    first = "program of x.py::test_a[vectors] in test_a[vectors], seed 1, icarus"
    assert words.endswith(f"a fused relu 4 {first}")


def test_report_of_one_item_tells_every_bin(command_line: CommandLine, directory: Path) -> None:
    found = command_line("coverage", "report", directory, "--item", "opcode_pair")
    rows = [line.split() for line in found.output.splitlines() if line.split()[-1:] == ["0"]]
    pairs = MODEL["opcode_pair"]
    assert [row[:2] for row in rows] == [list(pairs.bin_names(number)) for number in pairs.bin_numbers()]


def test_an_unknown_item_is_told(command_line: CommandLine, directory: Path) -> None:
    found = command_line("coverage", "report", directory, "--item", "fused_rely")
    assert found.status == ExitStatus.BAD_INPUT
    assert found.error.endswith("did you mean fused_relu?\n")


def test_holes_are_told_in_words(command_line: CommandLine, directory: Path) -> None:
    found = command_line("coverage", "holes", directory)
    assert "start while the chip is halted or halted by a fault" in found.output
    assert "fused_relu" not in found.output


def test_merging_in_any_order_gives_the_same_file(command_line: CommandLine, directory: Path) -> None:
    parts = [directory / f"{name}.json" for name in ("one", "two", "three")]
    outputs = []
    for number, order in enumerate(([0, 1, 2], [2, 1, 0, 1])):
        merged = directory / f"merged-{number}"
        found = command_line("coverage", "merge", merged, *(parts[position] for position in order))
        assert found.output == "2 runs that passed, 1 that failed\n"
        outputs.append(merged.read_bytes())
    assert outputs[0] == outputs[1]
    assert len(load_database(directory / "merged-0", MODEL).passed) == 3


def test_grade_lists_a_smallest_set(command_line: CommandLine, directory: Path) -> None:
    found = command_line("coverage", "grade", directory)
    assert "2 of 2 runs hit all 3 bins that were hit" in found.output
    assert "test_a[vectors]" in found.output
    assert "HiGHS" not in found.output


def test_export_writes_all_that_was_asked_for(command_line: CommandLine, directory: Path) -> None:
    text, html, ucis = (directory / name for name in ("c.txt", "c.html", "c.xml"))
    found = command_line("coverage", "export", directory, "--text", text, "--html", html, "--ucis", ucis)
    assert found.status == ExitStatus.GOOD
    assert "fused_relu" in text.read_text()
    assert html.read_text().startswith("<!DOCTYPE html>")
    assert "<UCIS " in ucis.read_text()


def test_nothing_to_export_is_told(command_line: CommandLine, directory: Path) -> None:
    found = command_line("coverage", "export", directory)
    assert (found.status, found.error) == (
        ExitStatus.BAD_INPUT,
        "error: nothing to export: give --text, --html or --ucis, or several of them\n",
    )


def test_two_formats_do_not_go_into_one_file(command_line: CommandLine, directory: Path) -> None:
    output = directory / "both"
    found = command_line("coverage", "export", directory, "--text", output, "--html", f"{directory}/./both")
    assert found.status == ExitStatus.BAD_INPUT
    assert "two formats cannot go into one file" in found.error
    assert not output.exists()


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("", "'.' is not the name of a file"),
        ("no/such/file", "there is no directory"),
        (".", "is not the name"),
    ],
)
def test_an_output_that_cannot_be_is_refused(
    command_line: CommandLine, directory: Path, output: str, message: str
) -> None:
    for arguments in (("merge", output, directory), ("export", directory, "--html", output)):
        found = command_line("coverage", *arguments)
        assert found.status == ExitStatus.BAD_INPUT
        assert message in found.error


def test_a_directory_is_no_output(command_line: CommandLine, directory: Path) -> None:
    (directory / "taken").mkdir()
    found = command_line("coverage", "merge", directory / "taken", directory)
    assert found.error == f"error: {directory}/taken: cannot be written: Is a directory\n"
    assert not list(directory.glob(".*"))


def test_a_database_of_other_definitions_is_refused(command_line: CommandLine, directory: Path) -> None:
    path = directory / "one.json"
    path.write_text(path.read_text().replace(MODEL.fingerprint, "0" * len(MODEL.fingerprint)))
    found = command_line("coverage", "report", directory)
    assert found.status == ExitStatus.BAD_INPUT
    assert "one.json: was collected under other definitions" in found.error


def test_all_databases_of_other_definitions_are_named_at_once(
    command_line: CommandLine, directory: Path
) -> None:
    stale = (directory / "one.json").read_text().replace(MODEL.fingerprint, "0" * len(MODEL.fingerprint))
    for name in ("x.json", "y.json", "z.json"):
        (directory / name).write_text(stale)
    found = command_line("coverage", "report", directory)
    assert found.status == ExitStatus.BAD_INPUT
    first, *names = found.error.splitlines()
    number = len(list(directory.glob("*.json")))
    assert first.startswith(f"error: 3 of {number} databases were collected under other definitions; remove")
    assert names == [f"  {directory}/{name}.json" for name in "xyz"]


def test_where_nothing_was_collected_the_user_learns_how(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "COLLECTED", tmp_path / "coverage")
    for arguments in ((), (tmp_path,)):
        found = command_line("coverage", "report", *arguments)
        assert found.status == ExitStatus.BAD_INPUT
        assert f"make -C {REPOSITORY} test COVERAGE=1" in found.error


def test_a_terminal_that_lacks_a_character_shows_another(directory: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "regressions", "coverage", "report", str(directory)],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (ExitStatus.GOOD, b"")
    assert b"fused_relu" in found.stdout
