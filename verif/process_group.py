"""Runs other programs in process groups of their own, so that none outlives an interrupted caller."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

_running: set[subprocess.Popen[str]] = set()
_running_changes = threading.Lock()


def run_in_group(
    command: Sequence[str], directory: Path, environment: Mapping[str, str], timeout: float | None = None
) -> tuple[int, str]:
    """Run a command in a directory, under this environment alone; return its status and what it printed.

    It runs in a process group of its own, all of which is killed when the caller is interrupted or after
    `timeout` seconds. Raises subprocess.TimeoutExpired.
    """
    process = subprocess.Popen(
        command,
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    with _running_changes:
        _running.add(process)
    try:
        output, _ = process.communicate(timeout=timeout)
    except BaseException:
        _kill(process)
        process.communicate()
        raise
    finally:
        with _running_changes:
            _running.discard(process)
    return process.returncode, output


def kill_running() -> None:
    """Kill everything that `run_in_group` has under way in other threads."""
    with _running_changes:
        for process in _running:
            _kill(process)


def _kill(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
