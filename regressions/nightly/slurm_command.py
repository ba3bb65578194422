"""Slurm's commands, and whether the farm would take a night's workers."""

from __future__ import annotations

import asyncio
import getpass
import os
import shutil
import subprocess
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from regressions.nightly.farm import Farm, FarmError
from sequences.near_names import did_you_mean

_COMMANDS = ("sbatch", "squeue", "scancel", "sinfo")

_PATIENCE_SECONDS = 60
"""For one command; Slurm's own take about ten to find out that nobody answers."""


def require_slurm(script: str, farm: Farm) -> None:
    """Have Slurm look at a worker's job script without running it. Raises FarmError.

    So a command that is missing, a controller that does not answer, a queue, an account or a size that the
    farm does not know are told before anything is begun.
    """
    for command in _COMMANDS:
        if shutil.which(command) is None:
            raise FarmError(f"--engine slurm: {command} not found: run this where Slurm's commands are")
    configuration = os.environ.get("SLURM_CONF", "")
    if configuration and not Path(configuration).is_file():  # Slurm's commands look for it for a minute
        raise FarmError(
            f"--engine slurm: there is no file {configuration}; set SLURM_CONF right, or not at all"
        )
    try:
        queues = [each.rstrip("*") for each in _told(["sinfo", "--noheader", "--format=%P"]).split()]
    except FarmError as error:
        setting = f"SLURM_CONF={configuration}" if configuration else "/etc/slurm/slurm.conf"
        raise FarmError(f"{error}; is slurmctld running, and {setting} right?") from error
    if farm.queue is not None and farm.queue not in queues:
        near = did_you_mean(farm.queue, queues) or f"; there are {', '.join(queues)}"
        raise FarmError(f"--engine slurm: unknown queue {farm.queue!r}{near}")
    try:
        _told(["sbatch", "--test-only"], script)
    except FarmError as error:
        raise FarmError(f"{error}{_nearest_account(farm.account)}") from error


async def own_jobs() -> dict[str, str] | None:
    """Return the user's jobs that wait or run, by their numbers, each with its state, `PENDING` say.

    None when the controller does not answer.
    """
    squeue = "squeue", "--me", "--noheader", "--format=%A %T"
    try:
        process = await asyncio.create_subprocess_exec(*squeue, stdout=PIPE, stderr=DEVNULL)
    except OSError:
        return None
    output, _ = await process.communicate()
    if process.returncode != 0:
        return None
    words = output.decode(errors="replace").split()
    return dict(zip(words[::2], words[1::2], strict=True))


def cancel_jobs(name: str) -> None:
    """Cancel the user's jobs of a name, if there are any and a controller takes it."""
    with suppress(FarmError):
        _told(["scancel", f"--user={getpass.getuser()}", f"--name={name}"])


def _nearest_account(account: str | None) -> str:
    """Return what to say of an account when Slurm refuses a worker; nothing if it is one of the user's."""
    if account is None or shutil.which("sacctmgr") is None:
        return ""
    ask = ["sacctmgr", "--noheader", "--parsable2", "show", "associations", "format=account"]
    try:
        accounts = sorted(set(_told([*ask, f"user={getpass.getuser()}"]).split()))
    except FarmError:
        return ""  # this Slurm keeps no accounts
    if account in accounts:
        return ""
    near = did_you_mean(account, accounts) or f"; there are {', '.join(accounts) or 'none'}"
    return f"; account {account!r} is none of yours{near}"


def _told(command: Sequence[str], script: str = "") -> str:
    """Return what a command of Slurm's prints."""
    try:
        done = subprocess.run(
            command,
            input=script,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_PATIENCE_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise FarmError(f"--engine slurm: {command[0]} has not answered in {_PATIENCE_SECONDS} s") from error
    if done.returncode != 0:
        lines = [line.removeprefix(f"{command[0]}: ") for line in done.stderr.splitlines() if line]
        raise FarmError(f"--engine slurm: {command[0]}: {'; '.join(lines) or 'it says nothing'}")
    return done.stdout
