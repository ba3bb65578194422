"""One family's coverage over time as a chart of the page it stands in.

This module loads matplotlib: import it only where a page is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from regressions.closing.growth import Growth
from regressions.page_chart import GOOD, LINE, SOFT, page_chart

_SIZE = (3.0, 1.6)
"""Inches."""


def growth_chart(
    family: str, bins: int, growth: Sequence[Growth], rounds: Sequence[Growth], others: Sequence[str]
) -> str:
    """Return the percentage of one family over the seconds, before the pale lines of the others.

    Dotted lines mark where rounds ended. Equal campaigns give equal text.
    """
    seconds = [0.0, *(each.seconds for each in growth)]

    def draw(axes: Axes) -> None:
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

    words = f"{family.replace('_', ' ')}: {100 * growth[-1].hit[family] / bins:.1f} % at the end"
    return page_chart(draw, _SIZE, family, words)
