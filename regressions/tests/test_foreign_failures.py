"""Failure folders from a checkout whose sources are not those of this one: nothing is called repaired."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from regressions.tests.conftest import CommandLine
from regressions.tests.test_reproduce_and_diff import NEVER_HALTS, folder_of
from sequences.stimulus import Stimulus
from verif.simulation.plain_path import REPOSITORY

PROJECT_RTL = REPOSITORY / "hdl" / "rtl" / "ga2.f"


@pytest.fixture(autouse=True)
def no_rtl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RTL", raising=False)


def change_sources(folder: Path, **digests: str | None) -> Path:
    """Record other digests, or with None that a file was not there."""
    path = folder / "report.json"
    report = json.loads(path.read_text())
    sources = {**report["sources"], **digests}
    report["sources"] = {name: digest for name, digest in sources.items() if digest is not None}
    path.write_text(json.dumps(report))
    return folder


@pytest.mark.parametrize(
    ("name", "digest", "named"),
    [
        ("hdl/rtl/ga2_argmax.sv", "0" * 16, "rtl (hdl/rtl/ga2_argmax.sv)"),
        ("sequences/preset.py", None, "sequences (sequences/preset.py)"),
        ("verif/untracked.py", "0" * 16, "bench (verif/untracked.py)"),
    ],
)
def test_foreign_failure_that_passes_is_not_called_repaired(
    name: str, digest: str | None, named: str, command_line: CommandLine, tmp_path: Path
) -> None:
    folder = change_sources(folder_of(tmp_path, "icarus", Stimulus()), **{name: digest})
    outcome = command_line("reproduce", folder)
    assert (outcome.status, outcome.error) == (3, "")
    assert outcome.output.splitlines() == [
        "does not fail here: every event, word and counter is as the model says",
        f"but the sources are not those that failed: {named}; RTL= chooses the RTL to try",
    ]


def test_foreign_failure_that_passes_is_not_shrunk(command_line: CommandLine, tmp_path: Path) -> None:
    folder = change_sources(folder_of(tmp_path, "icarus", Stimulus()), **{"verif/mine.py": "0" * 16})
    outcome = command_line("shrink", folder)
    assert (outcome.status, outcome.output) == (3, "")
    assert (
        f"{folder} does not fail here, and the sources are not those that failed: bench (verif/mine.py);"
        in (outcome.error)
    )
    assert outcome.error.count("\n") == 1


def test_folder_without_digests_is_not_called_repaired(command_line: CommandLine, tmp_path: Path) -> None:
    """Of an earlier version: nothing says which sources it belongs to."""
    folder = folder_of(tmp_path, "icarus", Stimulus())
    report = json.loads((folder / "report.json").read_text())
    del report["sources"]
    (folder / "report.json").write_text(json.dumps(report))
    outcome = command_line("reproduce", folder)
    assert outcome.status == 3
    assert "rtl (hdl/rtl/ga2.f, hdl/rtl/ga2.sv, " in outcome.output


@pytest.mark.usefixtures("quick_build")
def test_rtl_of_the_environment_is_tried_and_still_fails(
    simulator: str, command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path, simulator, Stimulus(), chip={})
    monkeypatch.setenv("RTL", str(NEVER_HALTS))
    monkeypatch.setenv("SCRATCHPAD", "words")
    outcome = command_line("reproduce", folder)
    assert (outcome.status, outcome.error) == (1, "")
    first, last = outcome.output.splitlines()[-2:]
    assert first.startswith("ANOTHER divergence than the recorded one")
    assert last.startswith("it still fails, though the sources are not those that failed: rtl (SCRATCHPAD, ")


def test_rtl_of_the_environment_replaces_rtl_that_is_not_here(
    simulator: str, command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = {"hdl/mine/chip.sv": "0" * 16}
    chip = {"RTL": "/no/such/list.f", "SCRATCHPAD": "no_such"}
    folder = change_sources(folder_of(tmp_path, simulator, Stimulus(), chip=chip), **recorded)
    gone = command_line("reproduce", folder)
    assert (gone.status, gone.output) == (2, "")
    assert "no such source file: /no/such/list.f" in gone.error
    assert "those that failed: rtl (hdl/mine/chip.sv); RTL= chooses the RTL to try" in gone.error
    monkeypatch.setenv("RTL", str(PROJECT_RTL))
    assert command_line("reproduce", folder).status == 3
