"""Makes a copy of the reference model and its tests in which one mutant, or none, is at work."""

from __future__ import annotations

import shutil
from pathlib import Path

from regressions.software_qualification.mutant import SoftwareMutant
from verif.qualification.unique_text import MutationError, unique_place
from verif.simulation.plain_path import REPOSITORY

PACKAGE = "refmodel"
"""What is copied: all mutants and their tests are in there, and it needs nothing else of the project."""

CONFIGURATION = ("conftest.py", "pyproject.toml")


def write_copy(directory: Path, mutant: SoftwareMutant | None, origin: Path | None = None) -> None:
    """Write the copy into a directory that does not exist yet, of the project or of such a copy, `origin`.

    Raises MutationError for a file that is not there, and as `mutated_text` does.
    """
    origin = origin or REPOSITORY
    directory.mkdir(parents=True)
    shutil.copytree(origin / PACKAGE, directory / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    for name in CONFIGURATION:
        shutil.copy(origin / name, directory)
    if mutant is not None:
        path = directory / mutant.file
        if not path.is_file():
            raise MutationError(f"mutant {mutant.name}: there is no file {mutant.file} to mutate")
        path.write_text(mutated_text(path.read_text(encoding="utf-8"), mutant), encoding="utf-8")


def mutated_text(source: str, mutant: SoftwareMutant) -> str:
    """Return the text of the mutant's file with the mutant in it.

    Raises MutationError for a `before` that does not occur exactly once, and for a result that is no Python.
    """
    begin = unique_place(mutant.before, source, mutant.name, mutant.file)
    mutated = source[:begin] + mutant.after + source[begin + len(mutant.before) :]
    try:
        compile(mutated, mutant.file, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise MutationError(
            f"mutant {mutant.name}: what it makes of {mutant.file} is no Python: {error}"
        ) from error
    return mutated
