"""How the command line starts, and what it says where it cannot."""

from __future__ import annotations

import subprocess
import sys
from signal import SIGHUP, SIGINT, SIGTERM

import pytest

from verif.simulation.plain_path import REPOSITORY

HEAVY = ("cocotb", "pyuvm", "pytest", "matplotlib", "PIL", "jinja2")


def test_no_command_waits_for_what_only_some_need() -> None:
    """Nor does a command wait for another one."""
    program = (
        "import sys; from regressions.command_line import command_line; command_line(['asm'])\n"
        "print(*[name for name in sys.modules if name.startswith('regressions.commands.')])\n"
        f"command_line([]); print(*(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "regressions.commands.asm\n\n"), done.stderr


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


INTERRUPTED_AT = """
import runpy, signal, sys

class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            signal.raise_signal({number})

sys.meta_path.insert(0, Finder())
sys.argv = ["regressions", "history", "failures"]
runpy.run_module("regressions", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("number", [SIGINT, SIGTERM, SIGHUP])
@pytest.mark.parametrize("module", ["regressions.exit_status", "typer", "numpy", "sqlite3"])
def test_a_signal_while_libraries_are_loaded_is_one_message(number: int, module: str) -> None:
    program = INTERRUPTED_AT.format(number=int(number), module=module)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")


def test_a_signal_that_is_ignored_stays_ignored_at_the_start() -> None:
    program = INTERRUPTED_AT.format(number=int(SIGHUP), module="typer").replace(
        "sys.argv = ", "signal.signal(signal.SIGHUP, signal.SIG_IGN)\nsys.argv = "
    )
    done = subprocess.run(
        [sys.executable, "-c", program.replace('"history", "failures"', '"--help"')],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
