"""The cost model beside the measurement, what blocks cost, and the serving arithmetic, as a picture.

This module loads matplotlib: import it only where a picture is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from regressions.drawing import MUTED, empty_figure
from regressions.study.cost_model import CACHED, CostModelStudy, Prediction
from regressions.study.serving import ACCEPTANCES, SERVED_KS, ServingStudy
from regressions.study.sweep_picture import COLOURS, LINES
from regressions.study.wording import target_name

MEASURED, PREDICTED, BY_TOKENS = "#222222", "#d55e00", "#0072b2"
DRAFT, VERIFIER = "#56b4e9", "#0072b2"


def cost_model_figure(study: CostModelStudy, serving: ServingStudy) -> Figure:
    """Return an axes a noise above; below them the costs of a block, and serving."""
    figure = empty_figure(9.6)
    above, below = figure.subfigures(2, 1, squeeze=False, height_ratios=(1.0, 1.15))[:, 0]
    request = study.sweep.request
    target = target_name(request.target, request.target_seed)
    above.suptitle(
        f"Cost model and measurement: {target}, {request.scales} scales, {request.tokens} tokens",
        x=0.01,
        ha="left",
        fontsize=14,
        fontweight="bold",
    )
    panels = above.subplots(1, len(study.sweep.noises), sharey=True, squeeze=False)[0]
    for axes, noise in zip(panels, study.sweep.noises, strict=True):
        _draw_noise(axes, [study.prediction(noise, k) for k in study.sweep.ks])
        axes.set_title(f"noise {noise:g}", loc="left", fontsize=11.5)
    panels[0].set_ylabel("speedup over plain decoding")
    above.legend(*panels[0].get_legend_handles_labels(), loc="outside lower left", ncols=3, frameon=False)
    left, right = below.subplots(1, 2)
    _draw_costs(left, study)
    _draw_serving(right, serving)
    return figure


def _draw_noise(axes: Axes, cells: Sequence[Prediction]) -> None:
    """Draw measurement and predictions over k."""
    ks = [cell.cell.k for cell in cells]
    axes.axhline(1.0, color="#404040", linewidth=1)
    axes.plot(ks, [cell.measured for cell in cells], "o-", color=MEASURED, linewidth=2, label="measured")
    axes.plot(
        ks,
        [cell.predicted for cell in cells],
        "s--",
        color=PREDICTED,
        label="predicted from the acceptance",
    )
    axes.plot(
        ks,
        [cell.by_tokens for cell in cells],
        "^:",
        color=BY_TOKENS,
        fillstyle="none",
        label="predicted from the measured tokens a block",
    )
    axes.set_xticks(ks)
    axes.set_xlabel("k")
    _grid(axes)


def _draw_costs(axes: Axes, study: CostModelStudy) -> None:
    """Draw what a block costs in plain steps, and the most tokens that it can emit for that."""
    costs, ks = study.costs, study.sweep.ks
    verify = [costs.verify[k] / costs.plain for k in ks]
    drafts = [k * costs.draft / costs.plain for k in ks]
    axes.bar(ks, verify, width=0.6, color=VERIFIER, label="verifier block")
    axes.bar(ks, drafts, bottom=verify, width=0.6, color=DRAFT, label="k draft steps")
    for k, height in zip(ks, map(sum, zip(verify, drafts, strict=True)), strict=True):
        axes.annotate(
            f"{height:.2f}", (k, height), (0, 4), textcoords="offset points", ha="center", fontweight="bold"
        )
    most = [k + 1 for k in ks]
    axes.plot(ks, most, "D", color=MEASURED, label="tokens if every guess stands, k + 1")
    axes.set_ylim(0, 1.08 * max(most))
    axes.set_xticks(ks)
    axes.set_xlabel("k, guesses a block")
    axes.set_ylabel("plain steps")
    _title(
        axes,
        "What a block costs: the tokens that it must emit to pay",
        f"over {CACHED} cached rows; a plain step takes {costs.plain:,} cycles there",
    )
    axes.legend(loc="upper left", frameon=False, fontsize=10)
    _grid(axes)


def _draw_serving(axes: Axes, serving: ServingStudy) -> None:
    """Draw a curve an acceptance, its best k ringed."""
    for number, acceptance in enumerate(reversed(ACCEPTANCES)):
        (line, marker), colour = LINES[number % len(LINES)], COLOURS[number % len(COLOURS)]
        speedups = [serving.speedup(acceptance, k) for k in SERVED_KS]
        axes.plot(SERVED_KS, speedups, linestyle=line, marker=marker, color=colour, linewidth=1.8)
        best = serving.best_k(acceptance)
        axes.plot(best, serving.speedup(acceptance, best), "o", color=colour, fillstyle="none", markersize=13)
        axes.annotate(
            f"a = {acceptance:g}",
            (SERVED_KS[-1], speedups[-1]),
            (10, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=10,
        )
    axes.axhline(1.0, color="#404040", linewidth=1)
    axes.set_xlim(SERVED_KS[0] - 0.5, SERVED_KS[-1] + 1.6)
    axes.set_xticks(SERVED_KS)
    axes.set_xlabel("k, guesses a block")
    axes.set_ylabel("speedup")
    _title(
        axes,
        "Serving: a block costs one plain step",
        f"E / (1 + k·c), a draft step c = {serving.draft_cost:g} plain steps; the best k is ringed",
    )
    _grid(axes)


def _title(axes: Axes, title: str, subtitle: str) -> None:
    axes.set_title(title, loc="left", fontsize=12, fontweight="bold", pad=24)
    axes.annotate(
        subtitle,
        (0, 1),
        (0, 8),
        xycoords="axes fraction",
        textcoords="offset points",
        color=MUTED,
        fontsize=10,
    )


def _grid(axes: Axes) -> None:
    axes.grid(axis="y", color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
