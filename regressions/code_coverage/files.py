"""Which files of code coverage a command is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from regressions.rtl import OUT
from verif.code_coverage.counts import merge_counts
from verif.code_coverage.errors import CodeCoverageError
from verif.code_coverage.point import CodePoint

COLLECTED = OUT / "code-coverage"
"""Where `make test CODE_COVERAGE=1` leaves one file a simulation."""


def load_all(paths: Sequence[Path]) -> dict[CodePoint, int]:
    """Return the sum of files; a directory stands for all in it, nothing for those of the last tests.

    Raises CodeCoverageError where there is none, one is damaged, or two are of different RTL.
    """
    files: list[Path] = []
    for path in paths or [COLLECTED]:
        found = sorted(path.glob("*.dat")) if path.is_dir() else [path]
        if not found or (not paths and not path.exists()):
            raise CodeCoverageError(
                f"{path}: there is no code coverage; collect some: make test CODE_COVERAGE=1"
            )
        files += found
    return merge_counts(files)
