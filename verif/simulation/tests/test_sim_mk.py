"""sim.mk and the Makefile: nothing in a variable is expanded by make or a shell."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from verif.simulation.plain_path import REPOSITORY

VARIABLES = (
    *(
        "TEST_MODULE",
        "TEST_FILTER",
        "RUN_DIR",
        "SEED",
        "WAVES",
        "WAVES_SCOPE",
        "CODE_COVERAGE",
        "PLUSARGS",
        "BARE",
    ),
    *("RTL", "SCRATCHPAD", "SCRATCHPAD_WRITE", "SCRATCHPAD_READ", "MIRRORS"),
    *("IVERILOG", "VVP", "CXX_CACHE", "CXX_OPTIMIZATION", "PYTHON"),
)

OPTIONS = (
    "SIM",
    "TEST",
    "SEED",
    "WAVES",
    "COVERAGE",
    "CODE_COVERAGE",
    "RESUME",
    "LIST",
    "TAG",
    "JOBS",
    "RTL",
)


def hostile(path: Path) -> str:
    """Return a text that makes a file if make expands it, or the shell with quotes of either kind or none."""
    return f"$(shell touch {path})`touch {path}`';touch {path};'\";touch {path};\""


@pytest.mark.parametrize("given", ["command line", "environment"])
@pytest.mark.parametrize(
    ("names", "says"),
    [
        (VARIABLES, "no Python at $(shell touch "),
        (VARIABLES[:-1], "CODE_COVERAGE: Icarus counts none"),
        (("RTL",), "RTL: $(shell is neither a source"),
        (("SCRATCHPAD",), "SCRATCHPAD='$(shell touch "),
        (("SCRATCHPAD_WRITE",), "SCRATCHPAD_WRITE='$(shell touch "),
        (("SCRATCHPAD_READ",), "SCRATCHPAD_READ='$(shell touch "),
        (("MIRRORS",), "MIRRORS: $(shell touch "),
        (("IVERILOG",), "$(shell touch "),
        (("VVP", "RUN_DIR"), "$(shell touch "),
        (("SEED",), "SEED='$(shell touch "),
        (("PLUSARGS",), "'$(shell': not a plusarg"),
    ],
)
def test_command_in_a_variable_of_sim_mk_is_not_run(
    names: Sequence[str], says: str, given: str, tmp_path: Path
) -> None:
    values = {name: hostile(tmp_path / name) for name in names}
    arguments = [f"{name}={value}" for name, value in values.items()] if given == "command line" else []
    done = subprocess.run(
        ["make", "-s", "-f", "sim.mk", "run-icarus", *arguments],
        cwd=REPOSITORY,
        env={**os.environ, **({} if arguments else values)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"sim.mk: {says}" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("given", ["command line", "environment"])
@pytest.mark.parametrize("target", ["run", "test", "smoke", "nightly", "report", "qualify", "close"])
def test_command_in_an_option_of_the_makefile_is_not_run(target: str, given: str, tmp_path: Path) -> None:
    values = {name: hostile(tmp_path / name) for name in OPTIONS}
    arguments = [f"{name}={value}" for name, value in values.items()] if given == "command line" else []
    shown = subprocess.run(
        ["make", "-s", "-o", "setup", target, *arguments, "PYTHON=printf '<%s>\\n'"],
        cwd=REPOSITORY,
        env={**os.environ, **({} if arguments else values)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert (
        f"{tmp_path}/{'LIST' if target in ('nightly', 'report') else 'SEED' if target == 'close' else 'SIM'};"
        in shown
    )
    assert list(tmp_path.iterdir()) == []
