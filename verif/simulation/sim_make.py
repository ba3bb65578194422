"""Builds for simulators and runs them in a process of its own (verif/simulation/__main__.py)."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from refmodel.errors import Ga2Error
from verif.simulation.chip import RTL_VARIABLES, Chip
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.process_group import run_in_group
from verif.simulation.time_limit import TimeLimit

OUT_OF_CPU = 128 + signal.SIGXCPU
"""The status that sim.mk shows of a simulation that has used up its CPU time."""

OUT = Path(os.environ.get("GA2_OUT") or REPOSITORY / "out")
"""Where commands and failures leave their files; a test run sets GA2_OUT to a directory of its own."""


class BuildError(Ga2Error):
    """A simulator could not be built for: a missing tool or file, or sources it does not accept."""


def rtl_settings() -> dict[str, str]:
    """Return the variables of the environment that choose other RTL than the project's."""
    return {name: os.environ[name] for name in RTL_VARIABLES if os.environ.get(name)}


def complaint(output: str) -> str:
    """Return what was printed of a failure, without blank lines."""
    return "\n".join(filter(None, output.splitlines()))


def run_make(
    target: str,
    variables: Mapping[str, object],
    environment: Mapping[str, str] | None = None,
    limit: TimeLimit | None = None,
) -> tuple[int, str]:
    """Make a target of sim.mk with this very Python; return the exit status and what was printed.

    The variables go as environment, so nothing expands what is in them. It is killed with all that it started
    when this process is interrupted or itself killed. A clock made in HDL never stops: a simulation ends with
    status OUT_OF_CPU after the CPU time of its limit, which building does not count for. Raises
    OutOfTimeError after the limit by the clock.
    """
    settings = {name: str(value) for name, value in variables.items()}
    if limit is not None:
        settings["CPU_SECONDS"] = str(limit.whole_seconds)
    inherited = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return run_in_group(
        [sys.executable, "-m", "verif.simulation", target],
        REPOSITORY,
        {**inherited, **settings, **(environment or {})},
        None if limit is None else limit.clock,
    )


def not_compared() -> tuple[str, ...]:
    """Return what runs of the environment's RTL cannot compare, as lines to print with their verdict."""
    return Chip.from_variables(rtl_settings()).not_compared


def build(simulator: str, rtl: str | None = None, mirrors: str = "", *, code_coverage: bool = False) -> None:
    """Build for a simulator, if anything changed since the last time. Raises BuildError.

    `rtl` is other RTL than RTL= of the environment or the project's; its scratchpad must be at its default.
    `mirrors` is the source of module ga2_tb_mirrors for it, if there is one. With `code_coverage` it is the
    build that counts.
    """
    settings = {"WAVES": "", "CODE_COVERAGE": "/dev/null" if code_coverage else ""}
    if rtl is not None:
        settings |= dict.fromkeys(RTL_VARIABLES, "") | {"RTL": rtl, "MIRRORS": mirrors}
    status, output = run_make(f"build-{simulator}", settings)
    if status != 0:
        raise BuildError(complaint(output) or f"building for {simulator} was killed (status {status})")
