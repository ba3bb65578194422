"""docs/debugging.md out of its template and what the commands printed."""

from __future__ import annotations

import textwrap
from io import BytesIO

from jinja2 import Environment, PackageLoader, StrictUndefined
from PIL import Image

from regressions.walkthrough.story import Story

INDENT = "    "
WIDTH = 116

_COLOURS = 64
"""Of a picture in the documents; it has few, and is a third of the size then."""


def walkthrough_page(story: Story) -> str:
    """Return the page."""
    environment = Environment(
        loader=PackageLoader(__package__, "templates"),
        undefined=StrictUndefined,
        autoescape=False,  # Markdown, and all of it is the project's own
        keep_trailing_newline=True,
    )
    template = environment.get_template("debugging.md.j2")
    return template.render(
        story=story,
        reads=story.reads,
        numbered=_numbered(story),
        quoted=_quoted,
        wrapped=_wrapped,
    )


def small_picture(picture: bytes) -> bytes:
    """Return a PNG file with few colours."""
    content = BytesIO()
    with Image.open(BytesIO(picture)) as image:
        image.convert("RGB").quantize(_COLOURS).save(content, format="PNG", optimize=True)
    return content.getvalue()


def _quoted(text: str) -> str:
    return textwrap.indent(text.strip("\n"), INDENT)


def _wrapped(lines: list[str]) -> str:
    """Return long lines broken as a terminal would, at words."""
    return "\n".join(
        textwrap.fill(
            line, WIDTH, initial_indent=INDENT, subsequent_indent=2 * INDENT, break_on_hyphens=False
        )
        for line in lines
    )


def _numbered(story: Story) -> str:
    lines = story.source.splitlines()
    return "\n".join(f"{INDENT}{story.first_line + number:4}  {line}" for number, line in enumerate(lines))
