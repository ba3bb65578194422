"""What a night asks of a Slurm farm, as a TOML file says it."""

from __future__ import annotations

import socket
import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from refmodel.errors import Ga2Error
from regressions.choices import did_you_mean


class FarmError(Ga2Error):
    """A farm file is not as it must be, or the farm does not take what it asks for."""


class Farm(BaseModel):
    """One Slurm job for each worker, every one with a core, and what all of them ask for."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    workers: int = Field(ge=1)
    """So many simulations run side by side."""
    memory: str = Field(pattern=r"^[1-9]\d*(MB|GB)$")
    """Of a worker and its simulation."""
    walltime: str = Field(pattern=r"^(\d+-)?\d{1,2}:\d{2}:\d{2}$")
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
        return Farm.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise FarmError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FarmError(f"{path}: is not TOML: {error}") from error
    except ValidationError as error:
        found = error.errors(include_url=False)
        problem = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
        key = ".".join(map(str, problem["loc"]))
        message = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            message = f"unknown key{did_you_mean(key, Farm.model_fields)}"
        raise FarmError(f"{path}: {key}: {message}") from error
