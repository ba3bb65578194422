"""The equality of tokens as a picture: a cell for every run of every target.

This module loads matplotlib: import it only where a picture is asked for.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from regressions.drawing import MUTED, empty_figure
from regressions.study.equality import STARTS, EqualityStudy, ModeEquality
from regressions.study.equality_text import equality_title

COLOUR_MAP = "YlOrBr_r"
"""The sooner tokens differ, the darker; read in grey too."""

EQUAL = "#dde3e8"
"""The colour of runs that do not differ."""

TARGETS_A_ROW = 60
"""More targets than that go to further rows."""

MOST_MARKED = 300
"""Targets; with more of them the cells are too small for a mark."""


def equality_figure(study: EqualityStudy) -> Figure:
    """Return an axes a mode: targets along, starts down, the tokens before the first difference as colour."""
    targets = len(study.modes[0].seeds)
    bands = -(-targets // TARGETS_A_ROW)
    figure = empty_figure(1.6 + len(study.modes) * (0.9 + 0.95 * bands))
    figure.suptitle(equality_title(study), x=0.01, ha="left", fontsize=14, fontweight="bold")
    grid = figure.subplots(len(study.modes), 1, squeeze=False)
    norm = Normalize(0, 1.25 * study.request.tokens)  # the palest colours are too much like EQUAL
    for axes, mode in zip(grid[:, 0], study.modes, strict=True):
        image = _draw_mode(axes, mode, norm)
    bar = figure.colorbar(image, ax=list(grid[:, 0]), pad=0.015, aspect=24)
    bar.set_label("tokens before the first difference")
    bar.ax.set_ylim(0, study.request.tokens)
    bar.outline.set_visible(False)
    return figure


def _draw_mode(axes: Axes, mode: ModeEquality, norm: Normalize) -> AxesImage:
    """Draw the runs of a mode; a cross marks those that differ."""
    seeds = mode.seeds
    width = min(TARGETS_A_ROW, len(seeds))
    bands = -(-len(seeds) // width)
    values = np.full((bands * (len(STARTS) + 1) - 1, width), np.nan)
    equal = values.copy()
    for run in mode.runs:
        band, column = divmod(run.seed - seeds[0], width)
        row = band * (len(STARTS) + 1) + STARTS.index(run.start)
        if run.decoding.equal:
            equal[row, column] = 0.0
            continue
        values[row, column] = run.equal_tokens
        if len(seeds) <= MOST_MARKED:
            pale = norm(run.equal_tokens) > 0.4
            axes.plot(column, row, "x", color="black" if pale else "white", markersize=4.5)
    axes.imshow(equal, cmap=ListedColormap([EQUAL]), aspect="auto")
    image = axes.imshow(values, cmap=COLOUR_MAP, norm=norm, aspect="auto")
    axes.vlines(np.arange(width - 1) + 0.5, -0.5, len(values) - 0.5, color="white", linewidth=1)
    axes.hlines(np.arange(len(values) - 1) + 0.5, -0.5, width - 0.5, color="white", linewidth=1)
    axes.set_title(f"{mode.scales} scales", loc="left", fontsize=12, fontweight="bold", pad=22)
    axes.annotate(
        f"{mode.equal} of {len(mode.runs)} runs equal: {100 * mode.rate:.1f} %; from every start: "
        f"{mode.equal_targets} of {len(seeds)} targets",
        (0, 1),
        (0, 7),
        xycoords="axes fraction",
        textcoords="offset points",
        color=MUTED,
        fontsize=10,
    )
    rows = [band * (len(STARTS) + 1) + row for band in range(bands) for row in range(len(STARTS))]
    axes.set_yticks(rows, [str(start) for _ in range(bands) for start in STARTS], fontsize=9)
    axes.set_ylabel("start token")
    places = range(0, width, 5 if width > 20 else 1)
    axes.set_xticks(places, [str(seeds[0] + place) for place in places])
    axes.set_xlabel("seed of the target" if bands == 1 else "seed of the target, in the first row")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return image
