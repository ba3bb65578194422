"""Names and notes from a bundle, fit for a terminal and for a picture."""

from __future__ import annotations

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def printable(text: str) -> str:
    """Return a text without what would move the cursor, break a line, or have no encoding in UTF-8."""
    return "".join(character if character.isprintable() else REPLACEMENT for character in text)
