"""Starts a process whose whole group dies with this process, however this one ends: kill -9 included."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

_GUARD = '( ( read -r -u "$0"; kill -KILL -- -$$ ) >/dev/null 2>&1 & ); exec "$@"'
"""A shell that leaves a guard behind in the process group before it becomes the command.

The guard waits at a pipe whose other end this process alone holds. When that is closed, for example because
this process ends, it kills the group, itself included. While it lives no other group has the group's number.
"""


@contextmanager
def guarded_process(
    command: Sequence[str], directory: Path, environment: Mapping[str, str]
) -> Iterator[subprocess.Popen[str]]:
    """Start a command as the leader of a process group, its output in one pipe.

    What is left of the group is killed at the end of the `with`. Raises OSError when it cannot be started.
    """
    waited_at, held = os.pipe()  # neither end is inherited by anything else that this process starts
    try:
        process = subprocess.Popen(
            ["bash", "-c", _GUARD, str(waited_at), *command],
            cwd=directory,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
            pass_fds=(waited_at,),
        )
    except BaseException:
        os.close(held)
        raise
    finally:
        os.close(waited_at)
    with process:
        try:
            yield process
        finally:
            os.close(held)
