"""What this process starts dies with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from verif.simulation.guarded_process import guarded_process
from verif.simulation.plain_path import REPOSITORY

PARENT = """
import os, sys, time
from pathlib import Path
from verif.simulation.guarded_process import guarded_process
with guarded_process(["bash", "-c", "sleep 600 & echo $!; wait"], Path.cwd(), os.environ) as process:
    print(process.pid, process.stdout.readline(), flush=True)
    time.sleep(600)
"""


def is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def require_gone(pids: list[int]) -> None:
    end = time.monotonic() + 300
    while any(map(is_alive, pids)):
        assert time.monotonic() < end, "it has outlived its parent"
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_whole_group_dies_with_the_process_that_started_it(number: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    pids = [int(each) for each in parent.stdout.readline().split()]
    assert len(pids) == 2
    assert all(map(is_alive, pids))
    parent.send_signal(number)
    parent.wait()
    require_gone(pids)


def test_what_a_command_leaves_behind_is_killed_too(tmp_path: Path) -> None:
    command = ["bash", "-c", "sleep 600 >/dev/null 2>&1 & echo $!"]
    with guarded_process(command, tmp_path, os.environ) as process:
        output, _ = process.communicate()
        left = int(output)
        assert is_alive(left)
    assert process.returncode == 0
    require_gone([left])


def test_output_and_status_are_the_commands_own(tmp_path: Path) -> None:
    with guarded_process(["bash", "-c", "pwd; exit 3"], tmp_path, os.environ) as process:
        output, _ = process.communicate()
    assert (output.strip(), process.returncode) == (str(tmp_path), 3)


def test_an_error_ends_it_at_once(tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match="mine"),
        guarded_process(["sleep", "600"], tmp_path, os.environ) as process,
    ):
        raise ValueError("mine")
    assert process.returncode == -signal.SIGKILL
