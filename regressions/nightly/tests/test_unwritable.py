"""Nights on a disk that is full, or where nothing may be written."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from refmodel.errors import Ga2Error
from regressions.nightly import session
from regressions.nightly.failed_seeds import remember_failed
from regressions.nightly.local_engine import LocalEngine
from regressions.nightly.night import NightError, begin_night, open_night, plan_now
from regressions.nightly.result import Status
from regressions.nightly.tests.fakes import InlineEngine, job, simulate

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can make a small disk")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", disk], check=True)
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)


@needs_root
@pytest.mark.parametrize("make_engine", [InlineEngine, LocalEngine])
def test_a_full_disk_stops_the_night_and_loses_nothing(
    small_disk: Path,
    make_engine: type[InlineEngine],
    capsys: pytest.CaptureFixture[str],
) -> None:
    jobs = tuple(job(f"a-{number:02d}") for number in range(60))
    night = begin_night(plan_now("smoke", 1, jobs), small_disk)
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(os.statvfs(small_disk).f_bavail * 4096 - 100_000))
    failed_seeds = small_disk.parent / "failed.json"

    def run() -> object:
        history = failed_seeds.with_name("history.sqlite")
        console = Console(width=200)
        return session.run_session(night, 2, failed_seeds, history, console, simulate, make_engine)

    with pytest.raises(
        Ga2Error, match=r"(results/a-\d\d\.json:|attempts/a-\d\d) cannot be written: No space"
    ):
        run()
    finished = [result for _, result in night.results() if result is not None]
    assert 0 < len(finished) < len(jobs)
    assert all(result.status is Status.PASSED for result in finished)
    output = capsys.readouterr().out
    assert f"{len(finished)} passed" in output
    assert "without a result" in output
    assert not list(small_disk.rglob("*.tmp")), "half written files"
    ballast.unlink()
    night = open_night(night.directory)
    assert run().name == "GOOD"  # type: ignore[attr-defined]
    attempts = [result.attempt for _, result in night.results() if result is not None]
    assert len(attempts) == len(jobs)


@needs_root
def test_a_plan_that_finds_no_space_leaves_nothing(small_disk: Path) -> None:
    with pytest.raises(Ga2Error, match=r"night\.json: cannot be written: No space left"):
        begin_night(plan_now("smoke", 1, tuple(job(f"a-{number}") for number in range(20_000))), small_disk)
    assert not list(small_disk.iterdir())


@needs_root
def test_a_directory_that_cannot_be_written_is_one_message(small_disk: Path) -> None:
    remember_failed(small_disk / "failed.json", [job("a-0")])
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(NightError, match=r"disk: no night can be begun there: Read-only file system"):
        begin_night(plan_now("smoke", 1, (job("a-0"),)), small_disk)
    with pytest.raises(Ga2Error, match=r"failed\.json: cannot be written: Read-only file system"):
        remember_failed(small_disk / "failed.json", [job("b-0")])


def test_a_file_in_the_place_of_a_directory_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NightError, match=r"file: no night can be begun there: (File exists|Not a directory)"):
        begin_night(plan_now("smoke", 1, (job("a-0"),)), tmp_path / "file")
