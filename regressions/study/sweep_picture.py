"""The sweep as a picture: a heat map and curves for each mode of scales.

This module loads matplotlib: import it only where a picture is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from refmodel.language.programs import ScaleMode
from regressions.drawing import MUTED, empty_figure
from regressions.study.sweep import SweepStudy
from regressions.study.sweep_text import sweep_title
from regressions.study.wording import equality, percent

COLOUR_MAP = "cividis"
"""From dark to pale in even steps, so that it is read in grey too."""

LINES = (("-", "o"), ("--", "s"), ("-.", "^"), (":", "D"), ((0, (5, 1, 1, 1, 1, 1)), "v"))
"""Style and marker of each curve, since colours alone are not told apart by everybody."""

_LABEL_GAP = 0.045
"""Part of the largest speedup by which the labels of two curves are apart at least."""

COLOURS = ("#222222", "#0072b2", "#009e73", "#d55e00", "#cc79a7")


def sweep_figure(study: SweepStudy) -> Figure:
    """Return a column a mode: a heat map of the speedup above, its curves over k below."""
    figure = empty_figure(9.2)
    figure.suptitle(sweep_title(study), x=0.01, ha="left", fontsize=14, fontweight="bold")
    grid = figure.subplots(2, len(study.modes), squeeze=False, height_ratios=(1.15, 1.0), sharey="row")
    speedups = [cell.speedup for cell in study.cells]
    norm = Normalize(min(speedups), max(speedups))
    for column, scales in enumerate(study.modes):
        image = _draw_heat_map(grid[0][column], study, scales, norm)
        _draw_curves(grid[1][column], study, scales)
    grid[0][0].set_ylabel("noise of the draft")
    grid[1][0].set_ylabel("speedup over plain decoding")
    bar = figure.colorbar(image, ax=list(grid[0]), pad=0.015, aspect=24)
    bar.set_label("speedup")
    bar.outline.set_visible(False)
    return figure


def _draw_heat_map(axes: Axes, study: SweepStudy, scales: ScaleMode, norm: Normalize) -> AxesImage:
    """Draw the speedups with the acceptance below; a line parts what gains from what loses."""
    values = np.array([[study.cell(scales, noise, k).speedup for k in study.ks] for noise in study.noises])
    image = axes.imshow(values, cmap=COLOUR_MAP, norm=norm, aspect="auto")
    for row, noise in enumerate(study.noises):
        for column, k in enumerate(study.ks):
            cell = study.cell(scales, noise, k)
            colour = "black" if norm(cell.speedup) > 0.5 else "white"
            sign = "" if cell.decoding.equal else " ≠"
            axes.text(
                column, row - 0.14, f"{cell.speedup:.2f}x{sign}", color=colour, ha="center", va="center",
                fontsize=12.5, fontweight="bold",
            )  # fmt: skip
            axes.text(
                column, row + 0.22, percent(cell.acceptance), color=colour, ha="center", va="center",
                fontsize=9.5,
            )  # fmt: skip
    _draw_break_even(axes, values >= 1.0)
    cells = sum(cell.scales == scales for cell in study.cells)
    axes.set_title(f"{scales} scales", loc="left", fontsize=12, fontweight="bold", pad=22)
    axes.annotate(
        f"{equality(study.equal(scales), cells)}",
        (0, 1),
        (0, 7),
        xycoords="axes fraction",
        textcoords="offset points",
        color=MUTED,
        fontsize=10,
    )
    axes.set_xticks(range(len(study.ks)), [f"k = {k}" for k in study.ks])
    axes.set_yticks(range(len(study.noises)), [f"{noise:g}" for noise in study.noises])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return image


def _draw_break_even(axes: Axes, gains: np.ndarray) -> None:
    """Draw a line between neighbours of which one gains and the other does not."""
    rows, columns = gains.shape
    for row in range(rows):
        for column in range(columns):
            if column + 1 < columns and gains[row, column] != gains[row, column + 1]:
                axes.plot([column + 0.5] * 2, [row - 0.5, row + 0.5], color="white", linewidth=4)
            if row + 1 < rows and gains[row, column] != gains[row + 1, column]:
                axes.plot([column - 0.5, column + 0.5], [row + 0.5] * 2, color="white", linewidth=4)


def _draw_curves(axes: Axes, study: SweepStudy, scales: ScaleMode) -> None:
    """Draw the speedup over k, a curve a noise; below 1 speculation costs more than it gains."""
    last = [study.cell(scales, noise, study.ks[-1]).speedup for noise in study.noises]
    heights = spread(last, _LABEL_GAP * max(cell.speedup for cell in study.cells))
    for number, (noise, height) in enumerate(zip(study.noises, heights, strict=True)):
        (line, marker), colour = LINES[number % len(LINES)], COLOURS[number % len(COLOURS)]
        speedups = [study.cell(scales, noise, k).speedup for k in study.ks]
        axes.plot(study.ks, speedups, linestyle=line, marker=marker, color=colour, linewidth=1.8)
        axes.annotate(
            f"noise {noise:g}",
            (study.ks[-1], height),
            (9, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=10,
        )
    axes.axhline(1.0, color="#404040", linewidth=1)
    axes.annotate(
        "as fast as plain decoding",
        (1, 1.0),
        (-4, 4),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="right",
        color=MUTED,
        fontsize=9,
    )
    axes.set_xlim(study.ks[0] - 0.25, study.ks[-1] + 0.75)
    axes.set_xticks(study.ks, [f"k = {k}" for k in study.ks])
    axes.grid(axis="y", color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Return the heights in their order, raised where one is less than `gap` above the next lower one."""
    spread_heights = [0.0] * len(heights)
    lowest = -inf
    for number in sorted(range(len(heights)), key=lambda number: heights[number]):
        lowest = spread_heights[number] = max(heights[number], lowest + gap)
    return spread_heights
