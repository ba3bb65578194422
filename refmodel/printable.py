"""Text from outside (files, names, tools) made harmless before it is printed or written to a report."""

from __future__ import annotations


def printable(value: object, limit: int | None = None) -> str:
    r"""Return a value as one line of text, what is invisible in it as an escape such as `\x1b`.

    These are control characters (C0, C1, DEL), line ends, characters that reorder text (U+202E) and lone
    surrogates. In a text of more than `limit` characters a note of how many are left out replaces the middle.
    """
    text = str(value)
    if limit is not None and len(text) > limit:  # before escapes are made: the text may be very long
        head = limit * 2 // 3
        tail = len(text) - (limit - head)
        return f"{printable(text[:head])}…({tail - head:,} left out)…{printable(text[tail:])}"
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def printable_lines(text: str, limit: int | None = None) -> str:
    """Return text of several lines with each of them printable; tabs become blanks."""
    return "\n".join(printable(line.expandtabs(), limit) for line in text.split("\n"))
