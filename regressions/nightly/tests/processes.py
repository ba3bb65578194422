"""Processes on this machine that work for a directory, and what kills the last of them.

    python -m regressions.nightly.tests.processes DIRECTORY

waits until its input ends, as it does however the process ends that started it. Then it kills all that work
for the directory, and removes that.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGKILL

from verif.simulation.plain_path import REPOSITORY


def processes_of(directory: Path) -> list[int]:
    """Return the processes that work for a night or a Slurm, wherever they have been started."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            told = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended
        if str(directory).encode() in told and int(process.name) != os.getpid():
            found.append(int(process.name))
    return found


def wait_until(holds: Callable[[], bool], what: str, seconds: float = 300) -> None:
    """Wait for something that takes moments, unless the machine is busy with other things."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.05)


def kill_all(processes: Iterable[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, SIGKILL)


@contextmanager
def nothing_left_of(directory: Path) -> Iterator[None]:
    """Kill what works for a directory and remove it, at the end of the `with` or when this process dies."""
    command = [sys.executable, "-m", "regressions.nightly.tests.processes", str(directory)]
    reaper = subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.PIPE, start_new_session=True)
    try:
        yield
    finally:
        reaper.communicate(timeout=600)


def _reap(directory: Path) -> None:
    sys.stdin.read()
    while processes := processes_of(directory):
        kill_all(processes)
        time.sleep(0.05)
    shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    _reap(Path(sys.argv[1]))
