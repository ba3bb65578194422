"""Builds for simulators and runs them in a process of its own (verif/simulation/__main__.py)."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from refmodel.errors import Ga2Error
from verif.simulation.plain_path import REPOSITORY as REPOSITORY
from verif.simulation.process_group import run_in_group


class BuildError(Ga2Error):
    """A simulator could not be built for: a missing tool or file, or sources it does not accept."""


def complaint(output: str) -> str:
    """Return what was printed of a failure, without blank lines."""
    return "\n".join(filter(None, output.splitlines()))


def run_make(
    target: str,
    variables: Mapping[str, object],
    environment: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> tuple[int, str]:
    """Make a target of sim.mk with this very Python; return the exit status and what was printed.

    The variables go as environment, so nothing expands what is in them. It is killed with all that it started
    when this process is interrupted or itself killed, and after `timeout` seconds, since a clock made in HDL
    never stops. Raises subprocess.TimeoutExpired.
    """
    settings = {name: str(value) for name, value in variables.items()}
    inherited = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return run_in_group(
        [sys.executable, "-m", "verif.simulation", target],
        REPOSITORY,
        {**inherited, **settings, **(environment or {})},
        timeout,
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
