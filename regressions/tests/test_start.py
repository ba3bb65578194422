"""How the command line starts, and what it says where it cannot."""

from __future__ import annotations

import subprocess
import sys

import pytest

from verif.simulation.sim_make import REPOSITORY

HEAVY = ("cocotb", "pyuvm", "pytest", "matplotlib", "PIL", "jinja2")


def test_no_command_waits_for_what_only_some_need() -> None:
    program = f"import sys, regressions.command_line; print(*(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr


def started_without(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command where a module cannot be imported."""
    program = (
        f"import runpy, sys; sys.modules[{module!r}] = None; sys.argv = {['regressions', *arguments]!r}; "
        "runpy.run_module('regressions', run_name='__main__', alter_sys=True)"
    )
    return subprocess.run(
        [sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("module", "package", "arguments"),
    [
        ("pydantic", "pydantic", ["asm", "--help"]),
        ("typer", "typer", []),
        ("rich.console", "rich", ["nightly", "--list"]),
        ("distributed", "distributed", ["nightly", "smoke", "--list"]),
        ("dask", "dask", ["nightly", "smoke", "--list"]),
        ("tree_sitter", "tree_sitter", ["nightly", "--help"]),
    ],
)
def test_a_package_that_is_missing_is_one_message(module: str, package: str, arguments: list[str]) -> None:
    done = started_without(module, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    what_to_do = "run `make setup`, then `. .venv/bin/activate`"
    assert done.stderr == f"error: package {package} is missing: {what_to_do}\n"


@pytest.mark.parametrize("module", ["refmodel.errors", "regressions.nightly.session"])
def test_a_module_of_the_project_that_is_missing_is_a_mistake_of_its_own(module: str) -> None:
    done = started_without(module, "nightly", "smoke", "--list")
    assert done.returncode == 1
    assert f"ModuleNotFoundError: import of {module} halted" in done.stderr
