"""The published table for people (rich), for programs (JSON) and for CI servers (JUnit)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from regressions.junit_report import Case
from regressions.published_table import Figure, Row, Value
from regressions.table_run import TableResult

GOOD, BAD = "[green]✓[/]", "[bold red]✗[/]"

DECODING_COLUMNS = ("tokens", "accepted", "proposed", "blocks", "programs", "cycles")


def decoding_table(results: Sequence[TableResult]) -> Table:
    """Return the table of decodings: every published figure, and a verdict for each simulator beside it."""
    table = Table(title="Decodings", caption=_caption(results), title_justify="left")
    table.add_column("run")
    for column in DECODING_COLUMNS:
        table.add_column(column, justify="right")
    for rows in zip(*(result.decodings for result in results), strict=True):
        cells = [_cell([_find(row, column) for row in rows]) for column in DECODING_COLUMNS]
        table.add_row(rows[0].name, *cells)
    return table


def program_table(results: Sequence[TableResult]) -> Table:
    """Return the table of single programs, one figure a line."""
    table = Table(title="Single programs", title_justify="left")
    for column in ("program", "figure"):
        table.add_column(column)
    table.add_column("published", justify="right")
    for rows in zip(*(result.programs for result in results), strict=True):
        for number, figures in enumerate(zip(*(row.figures for row in rows), strict=True)):
            table.add_row(rows[0].name if number == 0 else "", figures[0].name, _cell(list(figures)))
    return table


def summary(results: Sequence[TableResult], seconds: float) -> dict[str, Any]:
    """Return all figures, published and found, as JSON values."""
    return {
        "good": all(result.good for result in results),
        "seconds": round(seconds, 2),
        "simulators": {
            result.simulator: {
                "good": result.good,
                "comparisons": result.comparisons,
                "rows": [_row_summary(row) for row in result.rows],
            }
            for result in results
        },
    }


def cases(results: Sequence[TableResult]) -> Iterator[Case]:
    """Yield one JUnit case a row and simulator."""
    for result in results:
        for row in result.rows:
            wrong = [
                f"{figure.name}: published {figure.published}, found {figure.found}"
                for figure in row.figures
                if not figure.good
            ]
            yield Case(result.simulator, row.name, row.seconds, (*wrong, *row.mismatches))


def _row_summary(row: Row) -> dict[str, Any]:
    figures = {
        figure.name: {"published": figure.published, "found": figure.found, "good": figure.good}
        for figure in row.figures
    }
    return {"name": row.name, "good": row.good, "figures": figures, "mismatches": list(row.mismatches)}


def _caption(results: Sequence[TableResult]) -> str:
    return "verdicts: " + ", ".join(result.simulator for result in results)


def _find(row: Row, name: str) -> Figure | None:
    return next((figure for figure in row.figures if figure.name == name), None)


def _cell(figures: Sequence[Figure | None]) -> str:
    """Return a published figure and its verdicts; a wrong one shows what was found instead."""
    known = [figure for figure in figures if figure is not None]
    if not known:
        return ""
    marks = [
        BAD if figure is None else GOOD if figure.good else f"{BAD} {_text(figure.found)}"
        for figure in figures
    ]
    return " ".join([_text(known[0].published), *marks])


def _text(value: Value | None) -> str:
    if isinstance(value, tuple):
        return f"{value[0]} {value[1]} {value[2]} …" if len(value) > 3 else " ".join(map(str, value))
    return "nothing" if value is None else f"{value:,}"
