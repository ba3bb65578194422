"""The anatomy of a verifier block as a picture: cycles by unit, by stage, and of the matrix unit by phase.

This module loads matplotlib: import it only where a picture is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from regressions.drawing import MUTED, empty_figure
from regressions.study.anatomy import AnatomyStudy, Pair
from regressions.study.anatomy_text import anatomy_result, anatomy_title
from regressions.timeline.lane import Lane
from regressions.timeline.picture import COLOURS, PALE

BLOCK, STEPS = "#0072b2", "#c4c4c4"

_WIDE_ENOUGH = 0.045
"""Part of the width that a piece of a bar needs for its number."""


def anatomy_figure(study: AnatomyStudy) -> Figure:
    """Return three axes: both sides by unit, by stage, and the matrix unit by phase."""
    figure = empty_figure(8.6)
    grid = figure.add_gridspec(2, 2, height_ratios=(1.3, 3.0), width_ratios=(1.25, 1.0))
    units = figure.add_subplot(grid[0, :])
    units.set_title(anatomy_title(study), loc="left", fontsize=14, fontweight="bold", pad=44)
    units.annotate(
        anatomy_result(study),
        (0, 1),
        (0, 27),
        xycoords="axes fraction",
        textcoords="offset points",
        color=MUTED,
    )
    _draw_units(units, study)
    stages = {name: pair for name, pair in study.stages.items() if name != "HALT"}  # too few to be seen
    _draw_pairs(figure.add_subplot(grid[1, 0]), "cycles by stage", stages)
    phases = {name.partition(",")[0]: pair for name, pair in study.matrix_parts.items()}
    _draw_pairs(figure.add_subplot(grid[1, 1]), "cycles of the matrix unit by phase of MM", phases)
    return figure


def _draw_units(axes: Axes, study: AnatomyStudy) -> None:
    """Draw a bar for the block and one for the steps, both split by unit."""
    total = study.counters["cyc_total"]
    starts = [0, 0]
    for lane, pair in study.lanes.items():
        for row, cycles in enumerate((pair.block, pair.steps)):
            label = lane.title if row == 0 else None
            axes.barh(
                row, cycles, left=starts[row], height=0.7, color=COLOURS[lane], label=label, edgecolor="white"
            )
            if cycles > _WIDE_ENOUGH * total.steps:
                _number(axes, starts[row] + cycles / 2, row, cycles, lane)
            starts[row] += cycles
    steps = "1 plain step" if study.rows == 1 else f"{study.rows} plain steps"
    axes.set_yticks((0, 1), (f"1 block of {study.rows}", steps))
    axes.set_ylim(1.5, -0.5)
    axes.set_xlim(0, 1.08 * max(total.block, total.steps))
    for row, cycles in enumerate((total.block, total.steps)):
        axes.annotate(
            f"{cycles:,}", (cycles, row), (6, 0), textcoords="offset points", va="center", fontweight="bold"
        )
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0,
        borderpad=0,
        ncols=len(study.lanes),
        frameon=False,
        fontsize=10,
    )
    _count(axes)


def _number(axes: Axes, x: float, row: int, cycles: int, lane: Lane) -> None:
    colour = "black" if lane in PALE else "white"
    axes.text(x, row, f"{cycles:,}", color=colour, ha="center", va="center_baseline", fontsize=10)


def _draw_pairs(axes: Axes, title: str, pairs: Mapping[str, Pair]) -> None:
    """Draw what the steps take behind what the block takes, and what is saved beside them."""
    rows = range(len(pairs))
    axes.barh(rows, [pair.steps for pair in pairs.values()], height=0.74, color=STEPS, label="plain steps")
    axes.barh(rows, [pair.block for pair in pairs.values()], height=0.4, color=BLOCK, label="block")
    for row, pair in zip(rows, pairs.values(), strict=True):
        axes.annotate(
            f"−{pair.saved:,}" if pair.saved > 0 else f"+{-pair.saved:,}" if pair.saved else "±0",
            (max(pair.block, pair.steps), row),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
        )
    axes.set_yticks(rows, list(pairs))
    axes.set_ylim(len(pairs) - 0.5, -0.6)
    axes.set_xlim(0, 1.16 * max(max(pair.block, pair.steps) for pair in pairs.values()))
    axes.set_title(title, loc="left", fontsize=11.5, fontweight="bold")
    axes.legend(loc="lower right", frameon=False, fontsize=10)
    _count(axes)


def _count(axes: Axes) -> None:
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.grid(axis="x", color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
