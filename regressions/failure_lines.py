"""How many lines of failures the terminal shows, and paths as the user types them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

SHOWN_IN_ALL = 40
"""Mismatches that one command prints."""


def capped(lines: Sequence[str], limit: int, where: Path | str) -> list[str]:
    """Return the first `limit` lines and, if there are more, one that says how many and where they are."""
    rest = len(lines) - limit
    return [*lines[:limit], f"{rest} more in {where}"] if rest > 0 else list(lines)


def shown_path(path: Path) -> Path:
    """Return the path as the user would type it: relative to where they are, if it is below."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
