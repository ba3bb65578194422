"""The decodings of the model, drawn: speedup over k, prediction beside measurement, serving.

This module loads matplotlib.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from refmodel.language.programs import ScaleMode
from regressions.page_chart import INK, LINE, SERIES, SOFT, STYLES, page_chart
from regressions.report.workloads import SweepCell, Workloads
from regressions.study.serving import ACCEPTANCES, SERVED_KS, ServingStudy

_SIZE, _SMALL = (6.4, 3.6), (4.3, 3.1)
"""Inches."""


def sweep_curves(workloads: Workloads, scales: ScaleMode) -> str:
    """Return the speedup over k, a line a noise."""
    cells = [cell for cell in workloads.sweep if cell.scales == scales]

    def draw(axes: Axes) -> None:
        for number, noise in enumerate(_noises(cells)):
            row = [cell for cell in cells if cell.noise == noise]
            _line(axes, number, [cell.k for cell in row], [cell.speedup for cell in row], f"noise {noise:g}")
        _finish(axes, "speedup", [cell.k for cell in cells])

    return page_chart(draw, _SIZE, f"sweep {scales}", f"Speedup over k under {scales} scales, a line a noise")


def prediction_chart(workloads: Workloads, noise: float) -> str:
    """Return measurement, prediction, and prediction with the measured tokens a block, for one noise."""
    cells = [cell for cell in workloads.sweep if cell.predicted is not None and cell.noise == noise]
    ks = [cell.k for cell in cells]
    lines = (
        ("measured", [cell.speedup for cell in cells]),
        ("predicted", [cell.predicted or 0.0 for cell in cells]),
        ("by measured tokens", [cell.by_tokens or 0.0 for cell in cells]),
    )

    def draw(axes: Axes) -> None:
        for number, (name, values) in enumerate(lines):
            _line(axes, number, ks, values, name)
        _finish(axes, "speedup", ks)
        axes.set_ylim(0, 1.08 * max(cell.predicted or 0.0 for cell in workloads.sweep))

    words = f"Noise {noise:g}: speedup over k, measured, predicted, and by the measured tokens a block"
    return page_chart(draw, _SMALL, f"prediction {noise:g}", words)


def serving_chart(study: ServingStudy) -> str:
    """Return the serving speedup over k, a line an acceptance, the best k of each ringed."""

    def draw(axes: Axes) -> None:
        for number, acceptance in enumerate(ACCEPTANCES):
            speedups = [study.speedup(acceptance, k) for k in SERVED_KS]
            _line(axes, number, SERVED_KS, speedups, f"a = {acceptance:g}")
            best = study.best_k(acceptance)
            axes.plot(
                [best], [study.speedup(acceptance, best)], "o", markersize=11, fillstyle="none", color=INK
            )
        _finish(axes, "speedup", SERVED_KS)

    words = "Serving: speedup over k, a line an acceptance; the best k of each is ringed"
    return page_chart(draw, _SIZE, "serving", words)


def _noises(cells: Sequence[SweepCell]) -> list[float]:
    return list(dict.fromkeys(cell.noise for cell in cells))


def _line(axes: Axes, number: int, x: Sequence[int], y: Sequence[float], name: str) -> None:
    style, marker = STYLES[number % len(STYLES)]
    axes.plot(
        x,
        y,
        linestyle=style,
        marker=marker,
        markersize=4.5,
        linewidth=1.8,
        color=SERIES[number % len(SERIES)],
        label=name,
    )


def _finish(axes: Axes, what: str, ks: Sequence[int]) -> None:
    axes.axhline(1.0, color=SOFT, linewidth=0.9)
    axes.set_xticks(sorted(set(ks)), [f"{k}" for k in sorted(set(ks))])
    axes.set_xlabel("k, guesses a block", color=SOFT)
    axes.set_ylabel(what, color=SOFT)
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", color=LINE, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.legend(labelcolor=SOFT, frameon=False, fontsize=9, ncols=2, loc="lower left")
