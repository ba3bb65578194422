"""Calls sim.mk, the one place that knows how a simulator is found, built and run."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from refmodel.errors import Ga2Error
from verif.simulation.process_group import run_in_group
from verif.simulation.time_limit import TimeLimit

OUT_OF_CPU = 128 + signal.SIGXCPU
"""The status that sim.mk shows of a simulation that has used up its CPU time."""

REPOSITORY = Path(__file__).resolve().parents[2]

OUT = Path(os.environ.get("GA2_OUT") or REPOSITORY / "out")
"""Where commands and failures leave their files; a test run sets GA2_OUT to a directory of its own."""

RTL_VARIABLES = ("RTL", "SCRATCHPAD", "SCRATCHPAD_WRITE", "MIRRORS")
"""The variables of sim.mk that say what the chip is."""

_OUTER_MAKE = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL")
"""What an outer make leaves in the environment, and what would change how this one behaves."""

_MAKE_ERROR = re.compile(r"^sim\.mk:\d+: \*\*\* (.*?)\.  Stop\.$", re.MULTILINE)
"""How make spells an error of sim.mk's own."""


class BuildError(Ga2Error):
    """A simulator could not be built for: a missing tool or file, or sources it does not accept."""


def make_command(target: str, variables: Mapping[str, object]) -> list[str]:
    """Return the command that makes a target of sim.mk with this very Python."""
    settings = {"PYTHON": sys.executable, **variables}
    return ["make", "-s", "-f", "sim.mk", target, *(f"{name}={value}" for name, value in settings.items())]


def rtl_settings() -> dict[str, str]:
    """Return the variables of the environment that choose other RTL than the project's."""
    return {name: os.environ[name] for name in RTL_VARIABLES if os.environ.get(name)}


def make_environment() -> dict[str, str]:
    """Return this process's environment without what an outer make put there."""
    return {name: value for name, value in os.environ.items() if name not in _OUTER_MAKE}


def complaint(output: str) -> str:
    """Return what sim.mk said of a failure, without what make adds to it."""
    lines = [line for line in output.splitlines() if line and not line.startswith("make")]
    return _MAKE_ERROR.sub(r"sim.mk: \1", "\n".join(lines))


def run_make(
    target: str,
    variables: Mapping[str, object],
    environment: Mapping[str, str] | None = None,
    limit: TimeLimit | None = None,
) -> tuple[int, str]:
    """Make a target of sim.mk; return make's exit status and what it printed.

    It is killed with all that it started when this process is interrupted or itself killed. A clock made in
    HDL never stops: a simulation ends with status OUT_OF_CPU after the CPU time of its limit, which building
    does not count for. Raises OutOfTimeError after the limit by the clock.
    """
    if limit is not None:
        variables = {**variables, "CPU_SECONDS": limit.whole_seconds}
    return run_in_group(
        make_command(target, variables),
        REPOSITORY,
        {**make_environment(), **(environment or {})},
        None if limit is None else limit.clock,
    )


def build(simulator: str, rtl: str | None = None, mirrors: str = "", *, code_coverage: bool = False) -> None:
    """Build for a simulator, if anything changed since the last time. Raises BuildError.

    `rtl` is other RTL than RTL= of the environment or the project's; its scratchpad must be at its default.
    `mirrors` is the source of module ga2_tb_mirrors for it, if there is one. With `code_coverage` it is the
    build that counts.
    """
    settings = {"WAVES": "", "CODE_COVERAGE": "/dev/null" if code_coverage else ""}
    if rtl is not None:
        settings |= {"RTL": rtl, "SCRATCHPAD": "", "SCRATCHPAD_WRITE": "", "MIRRORS": mirrors}
    status, output = run_make(f"build-{simulator}", settings)
    if status != 0:
        raise BuildError(complaint(output))
