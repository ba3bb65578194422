"""The sweep, for the terminal."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from refmodel.language.programs import ScaleMode
from regressions.study.sweep import Cell, SweepStudy
from regressions.study.wording import equality, percent, target_name
from regressions.tables import number_table, uncut


def sweep_title(study: SweepStudy) -> str:
    """Return what was swept."""
    request = study.request
    target = target_name(request.target, request.target_seed)
    plain = study.cells[0].decoding.plain.counters.cyc_total
    return f"{target}, {request.tokens} tokens; plainly they take {plain:,} cycles"


def print_sweep(study: SweepStudy, console: Console) -> None:
    """Print two tables a mode of scales: acceptance and speedup, tokens a block and cycles a token."""
    console.print(sweep_title(study), style="bold")
    for scales in study.modes:
        cells = sum(cell.scales == scales for cell in study.cells)
        console.print(f"{scales} scales: {equality(study.equal(scales), cells)}")
        if scales != study.modes[0] and study.same_figures(study.modes[0], scales):
            console.print(f"every figure is that of {study.modes[0]} scales")
            continue
        table = _table(study, scales, lambda cell: f"{percent(cell.acceptance)} {cell.speedup:.2f}x")
        table.title = "acceptance, speedup"
        console.print(uncut(table), crop=False)
        table = _table(study, scales, lambda cell: f"{cell.tokens_a_block:.2f} {cell.cycles_a_token:,.0f}")
        table.title = "tokens a block, cycles a token"
        console.print(uncut(table), crop=False)


def _table(study: SweepStudy, scales: ScaleMode, text: Callable[[Cell], str]) -> Table:
    table = number_table("noise", *(f"{'k = ' + str(k):>13}" for k in study.ks))
    table.title_justify = "left"
    for noise in study.noises:
        table.add_row(f"{noise:g}", *(text(study.cell(scales, noise, k)) for k in study.ks))
    return table
