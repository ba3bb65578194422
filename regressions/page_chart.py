"""Charts as SVG inside a page, which take their colours from it: fit for light and dark.

This module loads matplotlib: import it only where a page is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from io import StringIO
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.typing import RcKeyType

from refmodel.printable import printable_lines

SOFT, LINE, GOOD, INK, PAPER = "#020202", "#030303", "#040404", "#050505", "#060606"
"""Stand for the page's own colours while matplotlib draws."""

SERIES = ("#070707", "#080808", "#090909", "#0a0a0a", "#0b0b0b")
"""Those of lines in one chart; style and marker tell them apart too."""

STYLES = (("-", "o"), ("--", "s"), ("-.", "^"), (":", "D"), ((0, (5, 1, 1, 1, 1, 1)), "v"))
"""Style and marker of each line, in the order of SERIES."""

_OF_THE_PAGE = {
    SOFT: "var(--soft)",
    LINE: "var(--line)",
    GOOD: "var(--hit)",
    INK: "var(--ink)",
    PAPER: "var(--paper)",
    **{colour: f"var(--c{number})" for number, colour in enumerate(SERIES, 1)},
}


def page_chart(draw: Callable[[Axes], None], size: tuple[float, float], name: str, words: str) -> str:
    """Return an SVG of `size` inches that `draw` has filled.

    `name` tells it from other charts of the page; `words` are what a screen reader says of it. The same
    drawing gives the same text.
    """
    settings: dict[RcKeyType, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": name,
        "font.family": "sans-serif",
        "font.size": 11,
        "text.parse_math": False,
    }
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        axes.tick_params(colors=SOFT, length=2)
        for side, spine in axes.spines.items():
            spine.set_visible(side in {"left", "bottom"})
            spine.set_color(LINE)
        figure.patch.set_visible(False)
        axes.patch.set_visible(False)
        drawn = StringIO()
        FigureCanvasSVG(figure)
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    text = drawn.getvalue()
    text = text[text.index("<svg") :]
    for stand_in, colour in _OF_THE_PAGE.items():
        text = text.replace(stand_in, colour)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)  # they would be there once in every chart of the page
    return printable_lines(text).replace("<svg", f'<svg role="img" aria-label="{escape(words)}"', 1)
