"""What a night asks of a Slurm farm, as a TOML file says it."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from refmodel.errors import Ga2Error
from refmodel.printable import printable
from regressions.nightly.job import NightJob
from regressions.nightly.job_limit import TIMES
from sequences.document import DocumentError, problems_of, read_toml
from sequences.near_names import did_you_mean

_WALLTIME = re.compile(r"(?:(\d+)-)?(\d{1,2}):([0-5]\d):([0-5]\d)")

_SLURM_WORDS = {
    "partition": "queue",
    "time": "walltime",
    "mem": "memory",
    "ntasks": "workers",
    "nodes": "workers",
    "jobs": "workers",
}
"""What sbatch, or the command line, calls a key."""


class FarmError(Ga2Error):
    """A farm file is not as it must be, or the farm does not take what it asks for."""


class Farm(BaseModel):
    """One Slurm job for each worker, every one with a core, and what all of them ask for."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    workers: int = Field(ge=1)
    """So many simulations run side by side."""
    memory: str
    """Of a worker and its simulation."""
    walltime: str
    """After which Slurm ends a worker; another one takes its place and its job."""
    queue: str | None = Field(default=None, pattern=r"^[\w.-]+$")
    """Slurm's partition; the farm's own default otherwise."""
    account: str | None = Field(default=None, pattern=r"^[\w.-]+$")
    """Whom the time is charged to."""
    prologue: list[str] = []
    """Lines of shell that every worker begins with, `module load iverilog` say."""
    interface: str | None = None
    """Network interface by which workers reach this machine, when there are several."""
    directives: list[str] = []
    """Further options of sbatch, `--exclude=n7` say."""

    @property
    def seconds(self) -> int:
        """Return the walltime."""
        return _seconds(self.walltime)

    @field_validator("memory")
    @classmethod
    def _is_a_size(cls, text: str) -> str:
        if not re.fullmatch(r"[1-9]\d*(MB|GB)", text):
            raise ValueError(f"{text!r} is no size; write 4GB or 500MB, say")
        return text

    @field_validator("walltime")
    @classmethod
    def _is_a_time(cls, text: str) -> str:
        if not _WALLTIME.fullmatch(text) or not _seconds(text):
            raise ValueError(f"{text!r} is no time; write HH:MM:SS or D-HH:MM:SS, 08:00:00 say")
        return text

    @field_validator("interface")
    @classmethod
    def _is_there(cls, name: str | None) -> str | None:
        interfaces = [each for _, each in socket.if_nameindex()]
        if name is not None and name not in interfaces:
            near = did_you_mean(name, interfaces) or f"; there are {', '.join(interfaces)}"
            raise ValueError(f"this machine has no network interface {name!r}{near}")
        return name


def load_farm(path: Path) -> Farm:
    """Read a farm file. Raises FarmError."""
    try:
        return Farm.model_validate(read_toml(path))
    except DocumentError as error:
        raise FarmError(str(error)) from error
    except ValidationError as error:
        found = problems_of(error)
        problem = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
        key = ".".join(map(str, problem["loc"]))
        message = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            near = f"; did you mean {_SLURM_WORDS[key]}?" if key in _SLURM_WORDS else ""
            message = f"unknown key{near or did_you_mean(key, Farm.model_fields)}"
        raise FarmError(f"{path}: {printable(key, 60)}: {printable(message, 200)}") from error


def require_walltime(farm: Farm, jobs: Iterable[NightJob]) -> None:
    """Raise FarmError unless every job would end within the walltime of a worker that begins with it.

    So long explaining a failure may take, or one rerun; a worker that takes over goes on with the next.
    """
    run = [job for job in jobs if not job.skip]
    longest = max(run, key=lambda job: job.timeout, default=None)
    if longest is not None and farm.seconds <= TIMES * longest.timeout:
        needed = timedelta(seconds=round(TIMES * longest.timeout))
        raise FarmError(
            f"--farm: walltime {farm.walltime} is too short: {longest.name} may take {needed}, "
            f"{TIMES} times its timeout of {longest.timeout:g} s; ask for more"
        )


def _seconds(walltime: str) -> int:
    found = _WALLTIME.fullmatch(walltime)
    assert found is not None
    days, hours, minutes, seconds = (int(each or 0) for each in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
