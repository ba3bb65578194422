"""Slurm's commands, and whether the farm would take a night's workers."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence

from regressions.choices import did_you_mean
from regressions.nightly.farm import FarmError

_COMMANDS = ("sbatch", "squeue", "scancel", "sinfo")

_PATIENCE_SECONDS = 60
"""For one command; Slurm's own take about ten to find out that nobody answers."""


def require_slurm(script: str, queue: str | None) -> None:
    """Have Slurm look at a worker's job script without running it. Raises FarmError.

    So a command that is missing, a controller that does not answer, a queue, an account or a size that the
    farm does not know are told before anything is begun.
    """
    for command in _COMMANDS:
        if shutil.which(command) is None:
            raise FarmError(f"--engine slurm: {command} not found: run this where Slurm's commands are")
    queues = [each.rstrip("*") for each in _told(["sinfo", "--noheader", "--format=%P"]).split()]
    if queue is not None and queue not in queues:
        near = did_you_mean(queue, queues) or f"; there are {', '.join(queues)}"
        raise FarmError(f"--engine slurm: unknown queue {queue!r}{near}")
    _told(["sbatch", "--test-only"], script)


async def own_jobs() -> set[str] | None:
    """Return the numbers of the user's jobs that wait or run; None when the controller does not answer."""
    squeue = "squeue", "--me", "--noheader", "--format=%A"
    try:
        process = await asyncio.create_subprocess_exec(*squeue, stdout=PIPE, stderr=DEVNULL)
    except OSError:
        return None
    output, _ = await process.communicate()
    return set(output.decode().split()) if process.returncode == 0 else None


def _told(command: Sequence[str], script: str = "") -> str:
    """Return what a command of Slurm's prints."""
    try:
        done = subprocess.run(
            command, input=script, capture_output=True, text=True, timeout=_PATIENCE_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise FarmError(f"--engine slurm: {command[0]} has not answered in {_PATIENCE_SECONDS} s") from error
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line] or ["it says nothing"]
        raise FarmError(f"--engine slurm: {command[0]}: {'; '.join(lines)}")
    return done.stdout
