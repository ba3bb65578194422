"""What is built from which sources, and where: the same for each simulator."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from verif.simulation.chip import Chip
from verif.simulation.file_list import Entry
from verif.simulation.plain_path import plain_path

BUILDS = Path("build")
TOP = "ga2_tb"
TIMESCALE = "1ns/1ps"


def words(entries: Iterable[Entry]) -> list[str]:
    """Return sources and options as both simulators take them, one word each."""
    found = []
    for entry in entries:
        value = plain_path(entry.value) if entry.is_path else entry.value
        found += (
            [f"{entry.option}{value}"]
            if entry.option.startswith("+")
            else [*filter(None, [entry.option]), value]
        )
    return found


def searched(entries: Iterable[Entry]) -> list[str]:
    """Return the directories that a simulator searches for includes and modules."""
    return [plain_path(entry.value) for entry in entries if entry.option in ("+incdir+", "-y")]


def variant(chip: Chip) -> str:
    """Return what the name of a build's directory ends with: nothing for the project's own RTL."""
    if chip.is_the_projects:
        return ""
    return f"-{sha256(repr((chip.memory, chip.bench_sources)).encode()).hexdigest()[:8]}"
