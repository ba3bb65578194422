"""Makes a copy of the reference model and its tests in which one mutant, or none, is at work."""

from __future__ import annotations

import shutil
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.software_qualification.mutant import SoftwareMutant
from verif.sim_make import REPOSITORY

PACKAGE = "refmodel"
"""What is copied: all mutants and their tests are in there, and it needs nothing else of the project."""

CONFIGURATION = ("conftest.py", "pyproject.toml")


class MutationError(Ga2Error):
    """A mutant does not fit the sources as they are today."""


def write_copy(directory: Path, mutant: SoftwareMutant | None) -> None:
    """Write the copy into a directory that does not exist yet.

    Raises MutationError for a file that is not there, and as `mutated_text` does.
    """
    directory.mkdir(parents=True)
    shutil.copytree(REPOSITORY / PACKAGE, directory / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    for name in CONFIGURATION:
        shutil.copy(REPOSITORY / name, directory)
    if mutant is not None:
        path = directory / mutant.file
        if not path.is_file():
            raise MutationError(f"mutant {mutant.name}: there is no file {mutant.file} to mutate")
        path.write_text(mutated_text(path.read_text(encoding="utf-8"), mutant), encoding="utf-8")


def mutated_text(source: str, mutant: SoftwareMutant) -> str:
    """Return the text of the mutant's file with the mutant in it.

    Raises MutationError for a `before` that does not occur exactly once, and for a result that is no Python.
    """
    count = source.count(mutant.before)
    if count != 1:
        times = "does not occur" if count == 0 else f"occurs {count} times"
        raise MutationError(
            f"mutant {mutant.name}: {mutant.before!r} {times} in {mutant.file}, but must once"
        )
    mutated = source.replace(mutant.before, mutant.after)
    try:
        compile(mutated, mutant.file, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise MutationError(
            f"mutant {mutant.name}: what it makes of {mutant.file} is no Python: {error}"
        ) from error
    return mutated
