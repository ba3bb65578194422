"""What the page about decoding shows of the model's results: tables, heat maps and charts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from regressions.closing.heat_map import PALE, shade
from regressions.closing.page_heat_maps import cost_maps
from regressions.published.table import SECTIONS
from regressions.report.workload_charts import prediction_chart, serving_chart, sweep_curves
from regressions.report.workloads import ANATOMY_CACHED, ANATOMY_ROWS, SweepCell, Workloads
from regressions.study.cost_model import CACHED
from regressions.study.serving import ACCEPTANCES, SERVED_KS, USUAL_DRAFT_COST, ServingStudy


@dataclass(frozen=True)
class SweepMap:
    """The sweep under one way to plan scales: rows of cells, and the curves."""

    scales: str
    title: str
    ks: tuple[int, ...]
    rows: dict[float, list[tuple[SweepCell, int]]]
    """By noise: cells with their shades, 0 to 100."""
    curves: str
    equal: int
    cells: int


def workload_content(workloads: Workloads) -> dict[str, Any]:
    """Return what the template of the page is filled with."""
    serving = ServingStudy(USUAL_DRAFT_COST)
    noises = list(dict.fromkeys(cell.noise for cell in workloads.sweep))
    maps = _sweep_maps(workloads)
    return {
        "workloads": workloads,
        "sections": {
            title: [each for each in workloads.table if each.scales == scales]
            for scales, title in SECTIONS.items()
        },
        "sweeps": maps,
        "same": len(maps) == 2 and _figures(maps[0]) == _figures(maps[1]),
        "predictions": {noise: prediction_chart(workloads, noise) for noise in noises},
        "predicted": {
            noise: [cell for cell in workloads.sweep if cell.noise == noise and cell.predicted is not None]
            for noise in noises
        },
        "pale": PALE,
        "context": CACHED,
        "anatomy_rows": ANATOMY_ROWS,
        "anatomy_cached": ANATOMY_CACHED,
        "serving": serving,
        "serving_chart": serving_chart(serving),
        "acceptances": ACCEPTANCES,
        "served_ks": SERVED_KS,
        "shape_maps": list(cost_maps(workloads.shapes)),
    }


def _sweep_maps(workloads: Workloads) -> list[SweepMap]:
    speedups = [cell.speedup for cell in workloads.sweep]
    maps = []
    for scales, title in SECTIONS.items():
        cells = [cell for cell in workloads.sweep if cell.scales == scales]
        rows: dict[float, list[tuple[SweepCell, int]]] = {}
        for cell in cells:
            rows.setdefault(cell.noise, []).append((cell, shade(cell.speedup, speedups)))
        ks = tuple(dict.fromkeys(cell.k for cell in cells))
        equal = sum(cell.equal for cell in cells)
        maps.append(SweepMap(scales, title, ks, rows, sweep_curves(workloads, scales), equal, len(cells)))
    return maps


def _figures(sweep: SweepMap) -> list[tuple[float, float, float]]:
    return [
        (cell.acceptance, cell.speedup, cell.cycles_a_token) for row in sweep.rows.values() for cell, _ in row
    ]
