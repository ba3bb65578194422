"""A decoding block by block, as a picture: the race against plain decoding, and where each token is from.

This module loads matplotlib: import it only where a picture is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from regressions.drawing import MUTED, empty_figure
from regressions.study.blocks import BlockStudy
from regressions.study.blocks_text import blocks_result, blocks_title

PLAIN = "#8c8c8c"
DRAFT = "#56b4e9"
VERIFIER = "#0072b2"
ACCEPTED = "#a9d8f5"
BONUS = "#0072b2"
CORRECTION = "#e69f00"
REJECTED = "#595959"

_WIDE_ENOUGH = 0.03
"""Part of the width that a block needs for what is written on it."""

_MOST_NUMBERED = 48
"""More tokens than that get cells too narrow for their numbers."""


def blocks_figure(study: BlockStudy) -> Figure:
    """Return three axes: who works when, tokens over cycles, the source of each token."""
    figure = empty_figure(8.2)
    race, stairs, sources = figure.subplots(3, 1, height_ratios=(1.5, 3.6, 1.6))
    race.set_title(blocks_title(study), loc="left", fontsize=14, fontweight="bold", pad=27)
    race.annotate(
        blocks_result(study),
        (0, 1),
        (0, 10),
        xycoords="axes fraction",
        textcoords="offset points",
        color=MUTED,
    )
    race.sharex(stairs)
    _draw_race(race, study)
    _draw_stairs(stairs, study)
    _draw_sources(sources, study)
    return figure


def _plain_ends(study: BlockStudy) -> list[int]:
    """Return the cycle in which each plain step ends, 0 before them."""
    return [0, *accumulate(record.counters.cyc_total for record in study.decoding.plain.records)]


def _draw_race(axes: Axes, study: BlockStudy) -> None:
    """Draw every program of both decodings from its first cycle to its last."""
    steps = [(start, end - start) for start, end in pairwise(_plain_ends(study))]
    axes.broken_barh(steps, (0.6, 0.8), facecolor=PLAIN, edgecolor="white", linewidth=1)
    starts = [0, *(block.cycles for block in study.blocks)]
    drafts = [(start, block.draft_cycles) for start, block in zip(starts, study.blocks, strict=False)]
    verifiers = [(block.cycles - block.verifier_cycles, block.verifier_cycles) for block in study.blocks]
    axes.broken_barh(drafts, (-0.4, 0.8), facecolor=DRAFT, edgecolor="white", linewidth=1)
    axes.broken_barh(verifiers, (-0.4, 0.8), facecolor=VERIFIER, edgecolor="white", linewidth=1)
    for (start, width), block in zip(verifiers, study.blocks, strict=True):
        if width > _WIDE_ENOUGH * study.blocks[-1].plain_cycles:
            axes.text(
                start + width / 2,
                0,
                f"{block.accepted}+1",
                color="white",
                ha="center",
                va="center_baseline",
                fontsize=9.5,
            )
    axes.set_yticks((0, 1), ("speculative", "plain"))
    axes.set_ylim(-0.6, 1.6)
    axes.tick_params(labelbottom=False)
    _legend(
        axes,
        Rectangle((0, 0), 1, 1, color=PLAIN, label="plain step"),
        Rectangle((0, 0), 1, 1, color=DRAFT, label="draft steps"),
        Rectangle((0, 0), 1, 1, color=VERIFIER, label="verifier block: accepted guesses + its own token"),
    )


def _draw_stairs(axes: Axes, study: BlockStudy) -> None:
    """Draw the tokens so far over the cycles so far."""
    plain = _plain_ends(study)
    cycles = [0, *(block.cycles for block in study.blocks)]
    tokens = [0, *(block.tokens for block in study.blocks)]
    axes.step(plain, range(len(plain)), where="post", color=PLAIN, linewidth=2)
    axes.step(cycles, tokens, where="post", color=VERIFIER, linewidth=2)
    axes.plot(cycles[1:], tokens[1:], "o", color=VERIFIER, markersize=5)
    axes.plot(plain[1:], range(1, len(plain)), ".", color=PLAIN, markersize=5)
    axes.annotate(
        f"speculative: {study.speedup:.2f}x",
        (cycles[-1], tokens[-1]),
        (-8, 8),
        textcoords="offset points",
        ha="right",
        color=VERIFIER,
        fontweight="bold",
    )
    axes.annotate(
        "plain", (plain[-1], len(plain) - 1), (-2, -26), textcoords="offset points", ha="right", color=MUTED
    )
    axes.set_xlim(0, 1.01 * max(cycles[-1], plain[-1]))
    axes.set_ylim(0, 1.12 * max(tokens[-1], len(plain) - 1))
    axes.set_xlabel("cycle")
    axes.set_ylabel("tokens decoded")
    axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
    axes.grid(color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)


def _draw_sources(axes: Axes, study: BlockStudy) -> None:
    """Draw a cell for each token, by what it is, and below a correction the guess that was wrong.

    Guesses behind a wrong one are never looked at, and not drawn either; nor are tokens that the last block
    overshoots by.
    """
    position = 0
    for block in study.blocks:
        axes.axvline(position, color="#404040", linewidth=1.2, ymin=0.02, ymax=0.98)
        accepted = enumerate(block.emitted[:-1], position)
        cells = [_Cell(place, 0, token, ACCEPTED) for place, token in accepted]
        place = position + block.accepted
        if block.all_accepted:
            cells.append(_Cell(place, 0, block.next_token, BONUS, "white"))
        else:
            cells.append(_Cell(place, 0, block.next_token, CORRECTION, hatch="///"))
            cells.append(_Cell(place, -1, block.drafted[block.accepted], "white", REJECTED))
        for cell in cells:
            if cell.position < study.request.tokens:
                _draw_cell(axes, cell, numbered=study.request.tokens <= _MOST_NUMBERED)
        position += block.accepted + 1
    axes.set_xlim(0, study.request.tokens)
    axes.set_ylim(-1.02, 1.02)
    axes.set_yticks((0.5, -0.5), ("decoded", "wrong guess"))
    axes.set_xlabel("token, a line before each block")
    step = 1 + study.request.tokens // _MOST_NUMBERED
    places = range(0, study.request.tokens, step)
    axes.set_xticks([place + 0.5 for place in places], [str(place + 1) for place in places])
    axes.tick_params(axis="x", length=0)
    _legend(
        axes,
        Rectangle((0, 0), 1, 1, facecolor=ACCEPTED, label="accepted guess"),
        Rectangle((0, 0), 1, 1, facecolor=BONUS, label="bonus: all guesses stand"),
        Rectangle((0, 0), 1, 1, facecolor=CORRECTION, edgecolor="white", hatch="///", label="correction"),
        Rectangle((0, 0), 1, 1, facecolor="white", edgecolor=REJECTED, label="guess that it corrects"),
    )


@dataclass(frozen=True)
class _Cell:
    """One token in its place."""

    position: int
    bottom: int
    token: int
    fill: str
    ink: str = "black"
    hatch: str = ""


def _draw_cell(axes: Axes, cell: _Cell, *, numbered: bool) -> None:
    edge = "white" if cell.bottom == 0 else REJECTED
    corner = (cell.position + 0.06, cell.bottom + 0.08)
    axes.add_patch(Rectangle(corner, 0.88, 0.84, facecolor=cell.fill, edgecolor=edge, hatch=cell.hatch))
    if numbered:
        axes.text(
            cell.position + 0.5,
            cell.bottom + 0.5,
            str(cell.token),
            ha="center",
            va="center_baseline",
            fontsize=9.5,
            color=cell.ink,
            bbox={"facecolor": cell.fill, "edgecolor": "none", "pad": 0.8},
        )


def _legend(axes: Axes, *handles: Rectangle) -> None:
    axes.legend(
        handles=handles,
        loc="lower right",
        bbox_to_anchor=(1, 1),
        ncols=len(handles),
        frameon=False,
        fontsize=10,
        borderaxespad=0,
    )
