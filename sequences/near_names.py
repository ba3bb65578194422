"""The name that a user may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """Return `; did you mean …?` with the nearest choice, or nothing if none is near."""
    nearest = get_close_matches(name, list(choices), n=1, cutoff=0.5)
    return f"; did you mean {nearest[0]}?" if nearest else ""
