"""Which databases a command is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from regressions.coverage.packed_hits import load_packed
from verif.coverage.database import CoverageDatabase, merge
from verif.coverage.errors import CoverageError, StaleCoverageError
from verif.coverage.model import CoverageModel
from verif.shell_line import make_line
from verif.simulation.sim_make import OUT

COLLECTED = OUT / "coverage"
"""Where `make test COVERAGE=1` leaves one database a test."""

_COLLECT = make_line("test", "COVERAGE=1")


def load_all(paths: Sequence[Path], model: CoverageModel) -> CoverageDatabase:
    """Return the union of databases; a directory stands for all in it, nothing for those of the last tests.

    Raises CoverageError where there is none, one is damaged or of other definitions, or two contradict.
    """
    files: list[Path] = []
    for path in paths or [COLLECTED]:
        found = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not found:
            raise CoverageError(f"{path}: there is no coverage database; collect some: {_COLLECT}")
        files += found
    if paths == [] and not COLLECTED.exists():
        raise CoverageError(f"{COLLECTED}: there is none yet; collect coverage: {_COLLECT}")
    databases = _current(files, model)
    while len(databases) > 1:  # two by two: one after the other would copy the first ones again and again
        databases = [merge(databases[first : first + 2]) for first in range(0, len(databases), 2)]
    return databases[0]


def _current(files: Sequence[Path], model: CoverageModel) -> list[CoverageDatabase]:
    """Read databases. Raises CoverageError that names all of other definitions at once."""
    databases: list[CoverageDatabase] = []
    stale: dict[Path, StaleCoverageError] = {}
    for file in files:
        try:
            databases.append(load_packed(file, model))
        except StaleCoverageError as error:
            stale[file] = error
    if len(stale) > 1:
        raise CoverageError(
            f"{len(stale)} of {len(files)} databases were collected under other definitions; remove them and "
            + "\n  ".join(["collect them again:", *map(str, stale)])
        )
    if stale:
        raise next(iter(stale.values()))
    return databases
