"""Which files of code coverage a command is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from verif.code_coverage.counts import merge_counts
from verif.code_coverage.errors import CodeCoverageError
from verif.code_coverage.point import CodePoint
from verif.shell_line import make_line
from verif.simulation.sim_make import OUT

COLLECTED = OUT / "code-coverage"
"""Where `make test CODE_COVERAGE=1` leaves a directory a build, with one file a simulation."""


def load_all(paths: Sequence[Path]) -> dict[CodePoint, int]:
    """Return the sum of files; a directory stands for all below it, nothing for `COLLECTED`.

    Raises CodeCoverageError where there is none, one is damaged, or those below a directory are of different
    builds.
    """
    files: list[Path] = []
    for path in paths or [COLLECTED]:
        found = _below(path) if path.is_dir() else [path]
        if not found or (not paths and not path.exists()):
            raise CodeCoverageError(
                f"{path}: there is no code coverage; collect some: {make_line('test', 'CODE_COVERAGE=1')}"
            )
        files += found
    return merge_counts(files)


def _below(directory: Path) -> list[Path]:
    """Return the files below a directory, which must all lie side by side: each build has its own."""
    found = sorted(directory.rglob("*.dat"))
    builds = sorted({path.parent for path in found}, key=lambda build: build.stat().st_mtime)
    if len(builds) > 1:
        raise CodeCoverageError(
            f"{directory}: holds the code coverage of {len(builds)} builds; remove what is old, or name the "
            f"latest, {builds[-1]}"
        )
    return found
