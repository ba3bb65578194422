"""Runs other programs in process groups of their own, so that none outlives its caller."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refmodel.printable import printable_lines
from verif.simulation.guarded_process import guarded_process
from verif.simulation.process_tree import usage_of

LONGEST_LINE = 2000
"""Characters of a line that a tool or a simulation printed; of a longer one the middle is left out."""

_running: set[subprocess.Popen[str]] = set()
_running_changes = threading.Lock()


@dataclass
class OutOfTimeError(Exception):
    """A command was killed, because it had not ended."""

    clock: float
    """Seconds by the clock that it had."""
    cpu: float
    """Seconds of CPU time that it had."""


def run_in_group(
    command: Sequence[str], directory: Path, environment: Mapping[str, str], clock: float | None = None
) -> tuple[int, str]:
    """Run a command in a directory, under this environment alone; return its status and printable output.

    It runs in a process group of its own, all of which is killed when the caller is interrupted or itself
    killed, and after `clock` seconds by the clock. Raises OutOfTimeError.
    """
    with guarded_process(command, directory, environment) as process:
        with _running_changes:
            _running.add(process)
        try:
            output, _ = process.communicate(timeout=clock)
        except subprocess.TimeoutExpired as error:
            raise OutOfTimeError(error.timeout, usage_of(process.pid).cpu) from None
        finally:
            with _running_changes:
                _running.discard(process)
    return process.returncode, printable_lines(output, LONGEST_LINE)


def kill_running() -> None:
    """Kill everything that `run_in_group` has under way in other threads."""
    with _running_changes:
        for process in _running:
            _kill(process)


def _kill(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
