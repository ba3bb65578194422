"""A window as a picture: its instructions along all of its cycles, and the signals round the mismatch.

This module loads matplotlib, which takes long: import it only where a picture is drawn.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import groupby
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.ticker import MaxNLocator
from matplotlib.typing import RcKeyType

from verif.waves.entering import Entering, entering
from verif.waves.lanes import Lane, lanes_of
from verif.waves.scene import Scene

BEFORE, AFTER = 12, 7
"""Cycles that are drawn round the mismatch."""

EXPECTED = "#00704f"
RED, PALE_RED = "#c00000", "#fbe3e3"
LEVEL, BUS, BUS_FILL = "#0072b2", "#5f6b76", "#eef2f5"
INSTRUCTION, DIVERGING = "#9fb8cc", "#e69f00"

_WIDTH, _LANE, _OVERVIEW, _MARGINS = 15.0, 0.36, 0.8, 2.0
"""In inches; a lane with its space, the instructions, and what is above, between and below."""

_CELL_CHARACTERS = 9
"""Characters of the values' size that fit into one cycle."""

_STYLE: dict[RcKeyType, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.edgecolor": "#808080",
    "ytick.major.size": 0.0,
    "text.parse_math": False,
}


def window_picture(scene: Scene) -> bytes:
    """Return the content of a PNG file."""
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **_STYLE}):
        content = BytesIO()
        _figure(scene).savefig(content, format="png", dpi=110)
    return content.getvalue()


def _figure(scene: Scene) -> Figure:
    cycles = scene.around_marker(BEFORE, AFTER)
    lanes = lanes_of(scene, cycles)
    edges = entering(scene)
    heights = (_OVERVIEW, _LANE * len(lanes), *([_LANE * 2 * len(edges)] if edges else []))
    figure = Figure(figsize=(_WIDTH, sum(heights) + _MARGINS), layout="constrained")
    FigureCanvasAgg(figure)
    above, below, *beneath = figure.subplots(len(heights), 1, height_ratios=heights)
    above.set_title(textwrap.shorten(scene.headline, 110), loc="left", fontsize=14, fontweight="bold", pad=44)
    for row, (label, text) in enumerate(scene.facts):
        colour = EXPECTED if label == "expected" else RED
        _above(above, 27 - 15 * row, label, textwrap.shorten(text, 150, placeholder=" …"), colour)
    _draw_instructions(above, scene, cycles)
    _draw_lanes(below, scene, lanes, cycles)
    if edges:
        _draw_entering(beneath[0], edges)
    return figure


def _above(axes: Axes, height: float, label: str, text: str, colour: str) -> None:
    """Write a label and a text above the axes, so many points over them."""
    for offset, words in ((0, label), (62, text)):
        axes.annotate(
            words,
            (0, 1),
            (offset, height),
            xycoords="axes fraction",
            textcoords="offset points",
            color=colour,
            fontsize=11,
            va="center",
        )


def _draw_instructions(axes: Axes, scene: Scene, cycles: Sequence[int]) -> None:
    """Draw the window's instructions, the part of it that is shown below, and the mismatch."""
    first, last = min(scene.edges), max(scene.edges)
    width = last - first + 1
    for stretch in scene.stretches:
        begin, end = max(stretch.first, first), min(stretch.last, last)
        if end < begin:
            continue
        colour = DIVERGING if stretch.pc == scene.divergence.pc else INSTRUCTION
        axes.broken_barh([(begin, end - begin + 1)], (0, 1), color=colour, edgecolor="white", linewidth=1.5)
        room = int(150 * (end - begin + 1) / width)
        label = f"{stretch.pc}: {stretch.text}"
        shown = label if len(label) <= room else label[: max(0, room - 1)] + "…" if room > 4 else ""
        axes.text((begin + end + 1) / 2, 0.5, shown, ha="center", va="center_baseline", fontsize=9.5)
    axes.broken_barh([(cycles[0], len(cycles))], (-0.14, 0.1), color="#404040")
    axes.axvline(scene.marker + 0.5, color=RED, linewidth=2, ymin=0, ymax=1.0)
    axes.set_xlim(first, last + 1)
    axes.set_ylim(-0.16, 1.05)
    axes.set_yticks([0.5], ["instruction"])
    axes.xaxis.set_major_locator(MaxNLocator(nbins=14, integer=True, steps=[1, 2, 5, 10]))


def _draw_lanes(axes: Axes, scene: Scene, lanes: Sequence[Lane], cycles: Sequence[int]) -> None:
    axes.axvspan(scene.marker, scene.marker + 1, color=PALE_RED, zorder=0)
    for row, lane in enumerate(lanes):
        if lane.is_level:
            _draw_level(axes, row, lane, cycles)
        else:
            _draw_bus(axes, row, lane, cycles, scene.marker)
    axes.set_xlim(cycles[0], cycles[-1] + 1)
    axes.set_ylim(len(lanes) - 0.4, -0.6)
    axes.set_yticks(range(len(lanes)), [lane.label.strip() for lane in lanes])
    for tick, lane in zip(axes.get_yticklabels(), lanes, strict=True):
        tick.set_color(RED if lane.is_marked else EXPECTED if lane.is_expected else "#202020")
    axes.set_xticks([cycle + 0.5 for cycle in cycles], [str(cycle) for cycle in cycles])
    for tick, cycle in zip(axes.get_xticklabels(), cycles, strict=True):
        tick.set_color(RED if cycle == scene.marker else "#202020")
        tick.set_fontweight("bold" if cycle == scene.marker else "normal")
    axes.tick_params(axis="x", length=0)
    axes.vlines(cycles, -0.6, len(lanes) - 0.4, color="#e4e4e4", linewidth=0.7, zorder=0)
    axes.set_xlabel("cycle")


def _draw_entering(axes: Axes, edges: Sequence[Entering]) -> None:
    """Draw a cell for each element k that enters the array for the wrong word, with its cycle beneath."""
    for row, edge in enumerate(edges):
        for k, (must, came) in enumerate(zip(edge.expected, edge.found, strict=True)):
            is_wrong = must != came
            axes.text(
                k,
                2 * row,
                "x" if came is None else str(came),
                ha="center",
                va="center_baseline",
                fontsize=7,
                color="white" if is_wrong else "#202020",
                bbox={"facecolor": RED, "edgecolor": RED, "pad": 1.5} if is_wrong else None,
            )
            if is_wrong:
                text = f"{must} due in {edge.first + k}"
                axes.text(
                    k, 2 * row + 0.9, text, ha="center", va="center_baseline", fontsize=7, color=EXPECTED
                )
    count = len(edges[0].expected)
    axes.set_xlim(-0.6, count - 0.4)
    axes.set_ylim(2 * len(edges) - 0.6, -0.6)
    labels = [f"{edge.label}\nfrom cycle {edge.first}" for edge in edges]
    axes.set_yticks([2 * row for row in range(len(edges))], labels)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=min(count, 32), integer=True))
    axes.tick_params(axis="x", length=0)
    axes.set_xlabel("element k, entering the array a cycle after the one before")


def _draw_level(axes: Axes, row: int, lane: Lane, cycles: Sequence[int]) -> None:
    """Draw a line that is high, low or, if unknown, in the middle and red."""
    heights = [row + {"1": -0.3, "0": 0.3}.get(text, 0.0) for text in lane.texts]
    edges = [*cycles, cycles[-1] + 1]
    axes.step(edges, [*heights, heights[-1]], where="post", color=LEVEL, linewidth=1.6)
    for cycle, text in zip(cycles, lane.texts, strict=True):
        if text == "1":
            axes.fill_between([cycle, cycle + 1], row - 0.3, row + 0.3, color=LEVEL, alpha=0.18, linewidth=0)
        elif text != "0":
            axes.plot([cycle, cycle + 1], [row, row], color=RED, linewidth=2)


def _draw_bus(axes: Axes, row: int, lane: Lane, cycles: Sequence[int], marker: int) -> None:
    """Draw a hexagon for every stretch of one value, the mismatch in red."""
    for begin, end, text in _runs(lane, cycles, marker):
        if lane.is_expected:
            axes.text(
                (begin + end) / 2,
                row,
                text,
                color=EXPECTED,
                ha="center",
                va="center_baseline",
                fontweight="bold",
            )
            continue
        wrong = lane.is_marked and begin == marker
        if not text and not wrong:
            continue
        unknown = text == "x"
        corner = 0.12
        outline = [
            (begin, row),
            (begin + corner, row - 0.33),
            (end - corner, row - 0.33),
            (end, row),
            (end - corner, row + 0.33),
            (begin + corner, row + 0.33),
        ]
        axes.add_patch(
            Polygon(
                outline,
                facecolor=RED if wrong else PALE_RED if unknown else BUS_FILL,
                edgecolor=RED if wrong or unknown else BUS,
                linewidth=1.0,
            )
        )
        room = _CELL_CHARACTERS * (end - begin)
        shown = text or "nothing"
        axes.text(
            (begin + end) / 2,
            row,
            shown,
            ha="center",
            va="center_baseline",
            fontsize=8.5 if len(shown) <= room else 8.5 * room / len(shown),
            color="white" if wrong else RED if unknown else "#202020",
            fontweight="bold" if wrong else "normal",
        )


def _runs(lane: Lane, cycles: Sequence[int], marker: int) -> Iterator[tuple[int, int, str]]:
    """Yield begin, end and value of each stretch of one value; a marked lane's marker is by itself."""

    def key(pair: tuple[int, str]) -> tuple[str, int]:
        cycle, text = pair
        side = 0 if not lane.is_marked else (cycle > marker) - (cycle < marker)
        return text, side

    for (text, _), pairs in groupby(zip(cycles, lane.texts, strict=True), key):
        run = [cycle for cycle, _ in pairs]
        yield run[0], run[-1] + 1, text
