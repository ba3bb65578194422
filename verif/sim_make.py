"""Calls sim.mk, the one place that knows how a simulator is found, built and run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from refmodel.errors import Ga2Error

REPOSITORY = Path(__file__).resolve().parent.parent

_OUTER_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
"""What an outer make leaves in the environment, and what would change how this one behaves."""

_MAKE_ERROR = re.compile(r"^sim\.mk:\d+: \*\*\* (.*?)\.  Stop\.$", re.MULTILINE)
"""How make spells an error of sim.mk's own."""


class BuildError(Ga2Error):
    """A simulator could not be built for: a missing tool or file, or sources it does not accept."""


def make_command(target: str, variables: Mapping[str, object]) -> list[str]:
    """Return the command that makes a target of sim.mk with this very Python."""
    settings = {"PYTHON": sys.executable, **variables}
    return ["make", "-s", "-f", "sim.mk", target, *(f"{name}={value}" for name, value in settings.items())]


def make_environment() -> dict[str, str]:
    """Return this process's environment without what an outer make put there."""
    return {name: value for name, value in os.environ.items() if name not in _OUTER_MAKE}


def complaint(output: str) -> str:
    """Return what sim.mk said of a failure, without what make adds to it."""
    lines = [line for line in output.splitlines() if line and not line.startswith("make")]
    return _MAKE_ERROR.sub(r"sim.mk: \1", "\n".join(lines))


def build(simulator: str) -> None:
    """Build for a simulator, if anything changed since the last time. Raises BuildError."""
    done = subprocess.run(
        make_command(f"build-{simulator}", {}),
        cwd=REPOSITORY,
        env=make_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BuildError(complaint(done.stdout))
