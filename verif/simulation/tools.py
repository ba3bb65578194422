"""Where the simulators' programs and libraries are, and the environment that they run in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from refmodel.errors import Ga2Error
from refmodel.printable import printable
from verif.simulation.plain_path import REPOSITORY, link_to, plain_path

_PASSED = frozenset(("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR", "TMP", "TEMP"))
_PASSED_FAMILIES = ("GA2_", "CCACHE_", "LD_", "XDG_", "OMP_", "OPENBLAS_", "MKL_", "SLURM_")


LARGEST_SEED = 2**31 - 1
"""Verilator takes no larger one, and none below 1."""


class ToolError(Ga2Error):
    """A program or library is missing."""


def tool_environment() -> dict[str, str]:
    """Return the environment for simulators and compilers: from the user's, only what is known to do no harm.

    cocotb, GPI, make, Verilator, Icarus and Python read some fifty variables; any of them could make a sound
    chip fail. All texts are UTF-8, whatever the user's locale.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED or name.startswith(_PASSED_FAMILIES)
    }
    return {**kept, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}


def found_program(name: str, package: str) -> str:
    """Return the path of a program that a Debian package has. Raises ToolError."""
    path = shutil.which(name)
    if path is None:
        raise ToolError(f"{name} not found: install the Debian package {package}")
    return path


def first_line(
    *command: str, environment: Mapping[str, str] | None = None, otherwise: str = "unknown"
) -> str:
    """Return the first line that a command prints; `otherwise` where there is none, or no such command."""
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, encoding="utf-8", errors="replace", check=False
        )
    except OSError:
        return otherwise
    return printable(next(iter(done.stdout.splitlines()), otherwise))


def cocotb_root() -> Path:
    """Return the link, from the repository's root, to the directory of cocotb's package. Raises ToolError."""
    return _package_link("cocotb")


def verilator_root() -> Path:
    """Return the link, from the repository's root, to Verilator's VERILATOR_ROOT. Raises ToolError."""
    return _package_link("verilator")


def embedded_python() -> str:
    """Return the path of this interpreter as cocotb takes it, which reads it as ASCII before all else."""
    executable = Path(sys.executable)
    return str(Path(plain_path(executable.parents[1])) / executable.relative_to(executable.parents[1]))


def package_version(package: str) -> str:
    """Return a package's version. Raises ToolError when it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError as error:
        raise _missing(package) from error


def gpi_users() -> str:
    """Return what cocotb's GPI is to load: the Python interpreter, then cocotb itself. Raises ToolError."""
    try:
        import cocotb_tools.config
        import find_libpython
    except ImportError as error:
        raise _missing(str(error.name)) from error
    library = find_libpython.find_libpython()
    if library is None:
        raise ToolError("no shared libpython: install the Debian package libpython3-dev")
    return f"{library};{cocotb_tools.config.pygpi_entry_point()}"


def _package_link(package: str) -> Path:
    try:
        root = Path(str(distribution(package).locate_file(package)))
    except PackageNotFoundError as error:
        raise _missing(package) from error
    return link_to(REPOSITORY / root)


def _missing(package: str) -> ToolError:
    return ToolError(f"this Python has no {package}: run 'make setup' first")
