"""One family's coverage over time as an SVG that takes its colours from the page it stands in.

This module loads matplotlib: import it only where a page is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.typing import RcKeyType

from regressions.closing.growth import Growth

SOFT, LINE, GOOD = "#020202", "#030303", "#040404"
"""Stand for the page's own colours while matplotlib draws."""

_OF_THE_PAGE = {SOFT: "var(--soft)", LINE: "var(--line)", GOOD: "var(--hit)"}

_SIZE = (3.0, 1.6)
"""Inches."""


def growth_chart(
    family: str, bins: int, growth: Sequence[Growth], rounds: Sequence[Growth], others: Sequence[str]
) -> str:
    """Return the percentage of one family over the seconds, before the pale lines of the others.

    Dotted lines mark where rounds ended. Equal campaigns give equal text.
    """
    settings: dict[RcKeyType, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": family,
        "font.family": "sans-serif",
        "font.size": 11,
    }
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.add_subplot()
        seconds = [0.0, *(each.seconds for each in growth)]
        for other in others:
            most = growth[-1].hit[other]
            axes.step(
                seconds,
                [0.0, *(100 * each.hit[other] / most if most else 0.0 for each in growth)],
                where="post",
                color=LINE,
                linewidth=1.0,
            )
        for end in rounds[:-1]:
            axes.axvline(end.seconds, color=SOFT, linewidth=0.8, linestyle=":")
        axes.step(
            seconds,
            [0.0, *(100 * each.hit[family] / bins for each in growth)],
            where="post",
            color=GOOD,
            linewidth=2.2,
        )
        axes.set_ylim(0, 104)
        axes.set_xlim(0, max(seconds[-1], 1.0))
        axes.set_yticks([0, 50, 100], ["0", "50", "100 %"])
        axes.xaxis.set_major_locator(MaxNLocator(3, integer=True))
        axes.tick_params(colors=SOFT, length=2)
        for name, spine in axes.spines.items():
            spine.set_visible(name in {"left", "bottom"})
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
    return text
