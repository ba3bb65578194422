"""A night's directory is removed, becomes read-only or full while the night runs."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from regressions.nightly.attempt import RESULTS
from regressions.nightly.night import Night, begin_night, open_night, plan_now
from regressions.nightly.result import Status
from regressions.nightly.tests.fake_client import start_client
from regressions.nightly.tests.fakes import job, sleepers_of
from regressions.nightly.tests.processes import processes_of, wait_until
from regressions.nightly.tests.test_unwritable import needs_root


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a disk that can be filled up, and made read-only although files are open on it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", disk], check=True)
    subprocess.run(["mount", "--bind", disk, disk], check=True)
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)
    subprocess.run(["umount", "--lazy", disk], check=True)


def night_in(directory: Path) -> Night:
    jobs = [job(f"a-{number}") for number in range(3)]
    jobs += [job("s-0", "sleep once", seconds=2.0), job("f-0", "fail", kind="data")]
    jobs += [job(f"z-{number:02}") for number in range(20)]
    return begin_night(plan_now("smoke", 1, tuple(jobs)), directory)


def damaged(night: Night, temporary: Path, damage: Callable[[], object]) -> tuple[int, str, str]:
    """Damage a night while it sleeps; return its status, output and errors."""
    temporary.mkdir(exist_ok=True)
    client = start_client(night, {"TMPDIR": str(temporary)})
    wait_until(lambda: bool(sleepers_of(night)), "it sleeps")
    damage()
    output, error = client.communicate(timeout=600)
    wait_until(lambda: not processes_of(night.directory), "nothing runs on", 20)
    return client.returncode, output, error


def require_whole(night: Night) -> None:
    """Check that all that is there is whole."""
    paths = [path for path in night.directory.rglob("*") if path.is_file()]
    assert not [path for path in paths if path.suffix == ".tmp"]
    for path in [*(night.directory / RESULTS).iterdir(), *night.directory.glob("summary.json")]:
        json.loads(path.read_text(encoding="utf-8"))


def require_resumable(night: Night, temporary: Path) -> None:
    """Check that the rest runs once, and that what had finished does not run again."""
    before = {each.name: result for each, result in night.results() if result is not None}
    client = start_client(open_night(night.directory), {"TMPDIR": str(temporary)})
    output, error = client.communicate(timeout=600)
    assert (client.returncode, error) == (1, ""), output
    after = {each.name: result for each, result in night.results()}
    assert all(after[name] == result for name, result in before.items() if name != "f-0")
    document: dict[str, Any] = json.loads((night.directory / "summary.json").read_text(encoding="utf-8"))
    assert document["statuses"]["passed"] == 24
    assert [each["jobs"] for each in document["buckets"]] == [["f-0"]]
    assert {result.status for result in after.values() if result} == {Status.PASSED, Status.FAILED}


@needs_root
@pytest.mark.slow
def test_a_disk_that_fills_up(disk: Path, tmp_path: Path) -> None:
    night = night_in(disk)
    ballast = disk / "ballast"

    def fill() -> None:
        with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))

    status, output, error = damaged(night, tmp_path / "tmp", fill)
    assert status == 2
    assert "No space left on device" in error
    assert error.count("\n") == 1
    assert "without a result" in output
    require_whole(night)
    ballast.unlink()
    require_resumable(night, tmp_path / "tmp")


@needs_root
@pytest.mark.slow
def test_a_directory_that_becomes_read_only(disk: Path, tmp_path: Path) -> None:
    night = night_in(disk)

    def mount(how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,bind,{how}", disk], check=True)

    status, output, error = damaged(night, tmp_path / "tmp", lambda: mount("ro"))
    assert status == 2
    assert error.endswith("cannot be written: Read-only file system\n")
    assert error.count("\n") == 1
    assert "without a result" in output
    mount("rw")
    require_whole(night)
    require_resumable(night, tmp_path / "tmp")


@pytest.mark.slow
def test_a_directory_that_is_removed_is_an_error_and_no_row_of_the_history(tmp_path: Path) -> None:
    night = night_in(tmp_path / "nights")

    def remove() -> None:
        shutil.rmtree(night.directory.rename(tmp_path / "removed"))  # at once, whatever is written meanwhile

    status, _, error = damaged(night, tmp_path / "tmp", remove)
    assert status == 2
    lost = "was removed during the run; its results are lost and not recorded; begin another run"
    assert error == f"error: {night.directory / 'night.json'}: {lost}\n"
    assert not night.directory.exists(), "parts of it came back"
