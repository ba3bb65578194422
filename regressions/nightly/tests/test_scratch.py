"""Directories of workers: gone with their night, or, if that was killed, when the next one begins."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from signal import SIGKILL

import pytest

from refmodel.errors import Ga2Error
from regressions.nightly.local_engine import LocalEngine
from regressions.nightly.night import begin_night, open_night, plan_now
from regressions.nightly.scratch import LOCK, PREFIX, Scratch
from regressions.nightly.tests.fake_client import start_client
from regressions.nightly.tests.fakes import job, sleepers_of
from regressions.nightly.tests.processes import processes_of, wait_until
from verif.simulation.plain_path import REPOSITORY

HOLDER = """
import sys, time
from regressions.nightly.scratch import Scratch
print(Scratch().directory, flush=True)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def _temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield
    monkeypatch.setattr(tempfile, "tempdir", None)


def left(tmp_path: Path) -> set[str]:
    return {path.name for path in (tmp_path / "tmp").glob(f"{PREFIX}*")}


def holder() -> tuple[subprocess.Popen[str], Path]:
    """Return a process that holds a directory, and that."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_what_a_killed_process_leaves_is_removed_and_what_others_hold_is_not(tmp_path: Path) -> None:
    first, killed = holder()
    second, held = holder()
    own = Scratch()
    try:
        assert left(tmp_path) == {killed.name, held.name, own.directory.name}
        first.send_signal(SIGKILL)
        first.wait()
        assert killed.is_dir()
        other = Scratch()
        assert left(tmp_path) == {held.name, own.directory.name, other.directory.name}
        other.remove()
        assert left(tmp_path) == {held.name, own.directory.name}
    finally:
        for process in (first, second):
            process.kill()
            process.communicate()
    own.remove()
    Scratch().remove()
    assert not left(tmp_path)


def test_what_was_killed_as_it_was_born_is_removed_too(tmp_path: Path) -> None:
    (tmp_path / "tmp" / f"{PREFIX}newborn").mkdir()
    Scratch().remove()
    assert not left(tmp_path)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a directory away")
def test_what_belongs_to_others_or_is_no_directory_stays(tmp_path: Path) -> None:
    names = [f"{PREFIX}{name}" for name in ("others", "link", "file")]
    others, link, file = [tmp_path / "tmp" / name for name in names]
    others.mkdir()
    os.chown(others, 12345, 12345)
    (tmp_path / "precious").mkdir()
    link.symlink_to(tmp_path / "precious")
    file.touch()
    Scratch().remove()
    assert left(tmp_path) == set(names)
    assert (tmp_path / "precious").is_dir()


def test_many_that_begin_and_end_at_once_do_not_remove_each_other() -> None:
    barrier = threading.Barrier(8)

    def use(_: int) -> int:
        barrier.wait()
        kept = 0
        for _ in range(40):
            scratch = Scratch()
            kept += (scratch.directory / LOCK).exists()
            scratch.remove()
        return kept

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(use, range(8))) == [40] * 8


def test_no_room_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "tmp").rmdir()
    (tmp_path / "tmp").touch()
    tempfile.tempdir = str(tmp_path / "tmp")  # or another one would be found
    with pytest.raises(Ga2Error, match="tmp: no room for workers: Not a directory"):
        LocalEngine(1)


@pytest.mark.slow
def test_a_killed_client_leaves_no_process_and_its_directory_goes_as_the_next_begins(tmp_path: Path) -> None:
    jobs = [job("a-0"), *(job(f"s-{number}", "sleep once", seconds=600) for number in range(2))]
    night = begin_night(plan_now("smoke", 1, tuple(jobs)), tmp_path)
    beside = begin_night(plan_now("smoke", 2, tuple(jobs)), tmp_path)
    killed, other = start_client(night), start_client(beside)
    wait_until(lambda: len(sleepers_of(night)) == len(sleepers_of(beside)) == 2, "all sleep")
    assert len(processes_of(night.directory)) >= 5, "client, workers and simulations"
    assert len(left(tmp_path)) == 2
    killed.send_signal(SIGKILL)
    killed.communicate()
    wait_until(lambda: not processes_of(night.directory), "nothing runs on")
    assert {path.name for path in (tmp_path / "tmp").iterdir()} == left(tmp_path), "dask leaves nothing else"
    assert len(left(tmp_path)) == 2
    resumed = start_client(open_night(night.directory))
    resumed.communicate(timeout=600)
    assert resumed.returncode == 0
    assert len(left(tmp_path)) == 1, "what the night beside it works in"
    assert len(sleepers_of(beside)) == 2
    other.terminate()
    other.communicate(timeout=600)
    assert other.returncode == 130
    assert not left(tmp_path)
