"""Simulations and failures that have nowhere to write, and what two processes write at the same time."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from refmodel.isa.instructions import Load
from refmodel.machine.tests.helpers import program
from sequences.directed.directed_program import DirectedProgram
from verif.failure import provenance
from verif.failure.diagnosis import Diagnosis
from verif.failure.folder import write_failure_folder
from verif.failure.rerun import Rerun
from verif.run_report import RunReport
from verif.simulation.simulation import BrokenSimulationError, Simulation, SimulationError

FOUND = Rerun((DirectedProgram("p", program(Load(0, 0, 1))),), RunReport("T"), None, Diagnosis(None))


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SimulationError, match="cannot be written: Not a directory"):
        Simulation("icarus", "any.Test", tmp_path / "file" / "run").run()


STARTED = "     0.00ns INFO     cocotb.regression                  running any.Test (1/1)\n"
ENDED = "sim.mk: the simulation ended with status 1"


@pytest.mark.parametrize(
    ("log", "output", "says", "blamed"),
    [
        (STARTED, ENDED, "broke off: the simulation ended with status 1", True),
        ("ImportError", ENDED, "did not start: the simulation ended with status 1", False),
        (f"{STARTED}OSError: [Errno 28] No space left on device", ENDED, "no space left for .*/run", False),
        (
            STARTED,
            "sim.mk: [Errno 28] No space left on device: '.x.tmp'",
            "no space left for .*/x.fst",
            False,
        ),
    ],
)
def test_only_a_simulation_that_started_and_had_room_blames_the_chip(
    log: str, output: str, says: str, blamed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(_: Simulation, directory: Path, __: object) -> tuple[int, str]:
        (directory / "sim.log").write_text(log)
        return 2, output

    monkeypatch.setattr(Simulation, "_make", make)
    with pytest.raises(SimulationError, match=says) as raised:
        Simulation("icarus", "any.Test", tmp_path / "run", waves=tmp_path / "x.fst").run()
    assert isinstance(raised.value, BrokenSimulationError) == blamed


def test_two_processes_may_leave_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one comes between removing the old folder and putting the new one in its place."""
    simulation = Simulation("icarus", "any.Test", tmp_path)
    first = write_failure_folder(simulation, FOUND, "sign", tmp_path)
    monkeypatch.setattr("verif.failure.folder.shutil.rmtree", _remove_unfinished_only)
    assert write_failure_folder(simulation, FOUND, "sign", tmp_path) == first
    assert sorted(each.name for each in tmp_path.iterdir()) == [first.name]


def _remove_unfinished_only(path: Path, *, ignore_errors: bool) -> None:
    if path.suffix == ".tmp":
        _RMTREE(path, ignore_errors=ignore_errors)


_RMTREE = shutil.rmtree


def test_commit_with_a_tag_is_named_by_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance, "REPOSITORY", tmp_path)
    _git_repository(tmp_path)
    assert len(provenance.git_commit()) == 40


def test_commit_of_another_repository_round_the_sources_is_not_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _git_repository(tmp_path)
    (tmp_path / "unpacked").mkdir()
    monkeypatch.setattr(provenance, "REPOSITORY", tmp_path / "unpacked")
    assert provenance.git_commit() == "unknown"
    monkeypatch.setenv("GIT_DIR", str(tmp_path / ".git"))  # as in a hook of that repository
    assert provenance.git_commit() == "unknown"


def _git_repository(directory: Path) -> None:
    names = [
        "-c",
        "user.name=n",
        "-c",
        "user.email=e",
        "-c",
        "tag.gpgsign=false",
        "-c",
        "commit.gpgsign=false",
    ]
    for command in (
        ["init", "-q"],
        ["commit", "-q", "--allow-empty", "-m", "m"],
        ["tag", "-a", "v1", "-m", "m"],
    ):
        subprocess.run(["git", "-C", directory, *names, *command], check=True)
