"""A time line as a picture: lanes over the cycles, and below them a bar for each tensor.

This module loads matplotlib: import it only where a picture is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from refmodel.machine.events import CycleSpan
from regressions.drawing import MUTED, WIDTH, drawn, empty_figure
from regressions.timeline.accounts import SHOWN_SUBJECTS, SubjectAccount, subject_accounts, with_rest_summed
from regressions.timeline.lane import Lane
from regressions.timeline.stretches import labelled_stretches
from regressions.timeline.timeline import FRONT_CYCLES, Timeline
from regressions.timeline.wording import end_line, share, shortened

COLOURS = {
    Lane.FRONT: "#8c8c8c",
    Lane.LOAD: "#0072b2",
    Lane.STORE: "#56b4e9",
    Lane.MATRIX: "#e69f00",
    Lane.REQUANTIZER: "#009e73",
    Lane.SOFTMAX: "#cc79a7",
    Lane.VECTOR_ADD: "#d55e00",
    Lane.ARGMAX: "#222222",
}
"""The palette of Okabe and Ito, safe for the colour blind; black stands in for its pale yellow."""

PALE = {Lane.STORE, Lane.MATRIX, Lane.SOFTMAX}
"""Lanes whose colour asks for black letters; the front has none."""

FAULT_COLOUR = "#c00000"

FEW_SPANS = 400
"""So many spans of the front get an outline, since two cycles are hard to see; more are a shade of grey."""

LONGEST_NAME = 28
"""Characters of a tensor's name that are shown."""

LONGEST_TITLE = 90
LONGEST_SUBTITLE = 130
"""Characters of the title, and of the line below it, that are shown."""

_LANE_HEIGHT, _BAR_HEIGHT = 0.42, 0.32
"""In inches; a lane, a bar and their spaces."""

_CHARACTERS_AN_INCH = 11
"""Of the labels inside bars, with room to spare for the axis' own labels."""

_NARROWEST_PARTED = 0.004
"""Part of the width that a bar must have to be parted visibly from its neighbour."""

_MARGINS = 2.2
"""Inches above, between and below: title, axes, legend."""


def picture(timeline: Timeline, picture_format: str) -> bytes:
    """Return the content of a picture file; `picture_format` is one of `PICTURE_FORMATS`."""
    return drawn(lambda: figure_of(timeline), picture_format)


def figure_of(timeline: Timeline) -> Figure:
    """Return the picture as matplotlib's objects: axes of lanes, then axes of bars."""
    lanes = [lane for lane in Lane if any(True for _ in timeline.spans(lane))]
    accounts = with_rest_summed(subject_accounts(timeline), SHOWN_SUBJECTS)
    heights = (_LANE_HEIGHT * len(lanes), _BAR_HEIGHT * len(accounts))
    figure = empty_figure(sum(heights) + _MARGINS)
    above, below = figure.subplots(2, 1, height_ratios=heights)
    title = shortened(timeline.title, LONGEST_TITLE)
    above.set_title(title, loc="left", fontsize=14, fontweight="bold", pad=27)
    above.annotate(
        shortened(end_line(timeline), LONGEST_SUBTITLE),
        (0, 1),
        (0, 10),
        xycoords="axes fraction",
        textcoords="offset points",
        color=FAULT_COLOUR if timeline.end.fault else MUTED,
    )
    _draw_lanes(above, timeline, lanes)
    _draw_subjects(below, timeline, accounts, lanes)
    return figure


def _draw_lanes(axes: Axes, timeline: Timeline, lanes: Sequence[Lane]) -> None:
    """Draw when each lane works; a cycle reaches half a unit to both sides of its number."""
    for row, lane in enumerate(lanes):
        spans = list(timeline.spans(lane))
        bars = [(span.first - 0.5, span.last - span.first + 1.0) for span in spans]
        outline = 0.5 if lane is Lane.FRONT and len(spans) <= FEW_SPANS else 0.0
        axes.broken_barh(bars, (row - 0.4, 0.8), color=COLOURS[lane], linewidth=outline, snap=False)
        axes.vlines(_seams(spans, timeline.cycles), row - 0.4, row + 0.4, color="white", linewidth=1)
    for stretch in labelled_stretches(timeline, WIDTH * _CHARACTERS_AN_INCH):
        middle = (stretch.span.first + stretch.span.last) / 2
        axes.text(
            middle,
            lanes.index(stretch.lane),
            stretch.label,
            color="black" if stretch.lane in PALE else "white",
            ha="center",
            va="center_baseline",
            fontsize=9.5,
            bbox={"facecolor": COLOURS[stretch.lane], "edgecolor": "none", "pad": 1},
        )
    if timeline.end.fault:
        axes.axvline(timeline.cycles + 0.5, color=FAULT_COLOUR, linewidth=2.5, clip_on=False)
    axes.set_xlim(0.5, timeline.cycles + 0.5)
    axes.set_ylim(len(lanes) - 0.5, -0.5)
    axes.set_yticks(range(len(lanes)), [lane.title for lane in lanes])
    axes.set_xlabel("cycle")
    _count_along(axes)


def _seams(spans: Sequence[CycleSpan], cycles: int) -> list[float]:
    """Return where two instructions of one unit meet, nothing but FETCH and ISSUE between them."""
    return [
        (before.last + after.first) / 2
        for before, after in pairwise(spans)
        if after.first - before.last == FRONT_CYCLES + 1
        and min(before.last - before.first, after.last - after.first) >= _NARROWEST_PARTED * cycles
    ]


def _draw_subjects(
    axes: Axes, timeline: Timeline, accounts: Sequence[SubjectAccount], lanes: Sequence[Lane]
) -> None:
    """Draw the cycles of each subject, split by lane, and their sum beside them."""
    rows = range(len(accounts))
    starts = [0] * len(accounts)
    for lane in lanes:
        cycles = [account.by_lane.get(lane, 0) for account in accounts]
        axes.barh(rows, cycles, left=starts, height=0.72, color=COLOURS[lane], label=lane.title, linewidth=0)
        starts = [start + more for start, more in zip(starts, cycles, strict=True)]
    for row, account in zip(rows, accounts, strict=True):
        sums = f"{account.cycles:,}   {share(account.cycles, timeline)}"
        axes.annotate(
            sums,
            (account.cycles, row),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    axes.set_xlim(0, 1.16 * max(starts))
    axes.set_ylim(len(accounts) - 0.5, -0.7)
    axes.set_yticks(rows, [shortened(account.subject.name, LONGEST_NAME) for account in accounts])
    axes.set_xlabel("cycles by tensor" if timeline.has_map else "cycles by operation (no source map)")
    _count_along(axes)
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0,
        borderpad=0,
        ncols=len(lanes),
        frameon=False,
        fontsize=10,
    )


def _count_along(axes: Axes) -> None:
    """Number the horizontal axis in whole cycles, with faint lines behind the bars."""
    axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.grid(axis="x", color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
