"""The sources that decide what simulations send and expect: results of different ones must not be mixed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from verif.simulation.sim_make import REPOSITORY

FOLDERS = ("hdl", "refmodel", "sequences", "verif")

SUFFIXES = (".c", ".f", ".json", ".py", ".sv", ".toml", ".vlt")

NAMES_SHOWN = 5


def source_digests(repository: Path = REPOSITORY) -> dict[str, str]:
    """Return a digest of every source by its path below the repository, in git or not.

    Python tests are none: no simulation depends on them.
    """
    found = {}
    for folder in FOLDERS:
        for path in sorted((repository / folder).rglob("*")):
            name = path.relative_to(repository)
            if path.suffix in SUFFIXES and "tests" not in name.parts and path.is_file():
                found[name.as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return found


def changed_sources(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Return which sources differ, for a message; empty if none does."""
    names = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    rest = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
