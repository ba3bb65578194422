"""Finds the text that a mutant replaces, in RTL or in Python."""

from __future__ import annotations

from refmodel.errors import Ga2Error


class MutationError(Ga2Error):
    """A mutant does not fit the sources as they are today."""


def unique_place(text: str, source: str, mutant: str, file: str) -> int:
    """Return where a text begins in the source of a file. Raises MutationError unless it occurs just once."""
    count = source.count(text)
    if count != 1:
        times = "does not occur" if count == 0 else f"occurs {count} times"
        raise MutationError(f"mutant {mutant}: {text!r} {times} in {file}, but must once")
    return source.index(text)
