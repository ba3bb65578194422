"""The terminal, which text from files, names and tools cannot steer."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from refmodel.printable import printable_lines

LONGEST_LINE = 10_000
"""Characters; so much leaves commands whole."""


class Terminal(Console):
    """A console whose control sequences are all its own: text is shown, and its escapes are visible.

    Markup is taken only where a call asks for it, so that `[red]` in a name stays what it is.
    """

    def __init__(self, **options: Any) -> None:
        """Take the options of rich's console."""
        super().__init__(**{"markup": False, "emoji": False, "highlight": False, **options})

    def render_str(self, text: str, **options: Any) -> Text:
        """Return text as rich lays it out; its escapes have a width already."""
        return super().render_str(printable_lines(text, LONGEST_LINE), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the pieces of what is shown."""
        for segment in super().render(renderable, options):
            text = printable_lines(segment.text, LONGEST_LINE)
            yield segment if segment.control else Segment(text, segment.style)


def show(text: object = "", *, end: str = "\n", file: IO[str] | None = None) -> None:
    """Print text, to standard output by default, with its escapes visible."""
    print(printable_lines(str(text)), end=end, file=file or sys.stdout)
