"""The cost model and the serving arithmetic, for the terminal."""

from __future__ import annotations

from rich.console import Console

from regressions.study.cost_model import CACHED, CostModelStudy
from regressions.study.serving import ACCEPTANCES, SERVED_KS, ServingStudy
from regressions.study.wording import target_name
from regressions.tables import number_table, uncut


def print_cost_model(study: CostModelStudy, console: Console) -> None:
    """Print what blocks cost, then prediction, measurement and error of every cell."""
    request, costs = study.sweep.request, study.costs
    target = target_name(request.target, request.target_seed)
    console.print(f"{target}, {request.scales} scales: speedup = E·plain / (k·draft + verify)", style="bold")
    console.print(
        f"E = 1 + a + … + a^k, a the measured acceptance; plain {costs.plain:,} cycles at context "
        f"{CACHED + 1}, draft {costs.draft:,}, verify over {CACHED} cached rows:"
    )
    table = number_table("k", "  verify", "  block", "  plain steps, the E that breaks even")
    for k in study.sweep.ks:
        steps = costs.block(k) / costs.plain
        table.add_row(f"{k}", f"{costs.verify[k]:,}", f"{costs.block(k):,}", f"{steps:.2f}")
    console.print(uncut(table), crop=False)
    table = number_table("noise", *(f"{'k = ' + str(k):>13}" for k in study.sweep.ks))
    table.title, table.title_justify = "predicted, measured, error in %", "left"
    for noise in study.sweep.noises:
        cells = [study.prediction(noise, k) for k in study.sweep.ks]
        table.add_row(
            f"{noise:g}",
            *(f"{cell.predicted:.2f} {cell.measured:.2f} {100 * cell.error:+3.0f}" for cell in cells),
        )
    console.print(uncut(table), crop=False)
    console.print(
        f"mean error, signs apart: {100 * study.mean_error:.1f} %, "
        f"or {100 * study.mean_error_of_costs:.1f} % with the measured tokens a block for E"
    )


def print_serving(study: ServingStudy, console: Console) -> None:
    """Print the speedup by acceptance and k, the best of each row marked."""
    console.print(
        f"\nserving: speedup = E / (1 + k·c), c = {study.draft_cost:g} plain steps a draft step", style="bold"
    )
    table = number_table("acceptance", *(f"{'k=' + str(k):>5}" for k in SERVED_KS))
    for acceptance in ACCEPTANCES:
        best = study.best_k(acceptance)
        cells = (f"{study.speedup(acceptance, k):.2f}{'*' if k == best else ' '}" for k in SERVED_KS)
        table.add_row(f"{acceptance:g}", *cells)
    console.print(uncut(table), crop=False)
    console.print(" * the best k of a row")
