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
from verif.simulation.simulation import BrokenSimulationError, NoSpaceError, Simulation, SimulationError

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


def test_a_dump_that_cannot_be_written_is_not_blamed_on_the_chip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verilator aborts then, when everything else has ended well."""

    def make(_: Simulation, directory: Path, __: object) -> tuple[int, str]:
        (directory / "sim.log").write_text(
            "- :0: Verilog $finish\nFST_CHECK_EQ failed: os.tellp() (-1 vs. 330)\n"
        )
        return 2, "sim.mk: the simulation ended with status 134; the whole output is in sim.log"

    monkeypatch.setattr(Simulation, "_make", make)
    waves = tmp_path / "all.fst"
    with pytest.raises(NoSpaceError, match=rf"because {waves} could not be written: is its disk full\?"):
        Simulation("verilator", "any.Test", tmp_path / "run", waves=waves).run()


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


def test_commit_is_a_hash_with_a_mark_of_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance, "REPOSITORY", tmp_path)
    _git_repository(tmp_path)
    commit = provenance.git_commit()
    assert len(commit) == 40
    (tmp_path / ".gitignore").write_text("out\n")
    assert provenance.git_commit() == f"{commit}-dirty", "an untracked file is a change"
    _git(tmp_path, "add", ".gitignore")
    _git(tmp_path, "commit", "-q", "-m", "m")
    (tmp_path / "out").write_text("")
    assert len(provenance.git_commit()) == 40, "an ignored file is not"


def test_commit_of_what_is_no_checkout_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance, "REPOSITORY", tmp_path)
    assert provenance.git_commit() == "unknown"


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
    """Make a repository with a commit that has a tag, which must not be taken for its name."""
    _git(directory, "init", "-q")
    _git(directory, "commit", "-q", "--allow-empty", "-m", "m")
    _git(directory, "tag", "-a", "v1", "-m", "m")


def _git(directory: Path, *command: str) -> None:
    settings = ("-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=b")
    subprocess.run(["git", "-C", directory, *settings, *command], check=True)
