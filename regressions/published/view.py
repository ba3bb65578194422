"""The published table for people (rich), for programs (JSON) and for CI servers (JUnit)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from regressions.failure_lines import capped
from regressions.junit_report import Case
from regressions.published.run import TableResult
from regressions.published.table import Figure, Row, Value

GOOD, BAD = "[green]✓[/]", "[bold red]✗[/]"

DECODING_COLUMNS = {
    "tokens": ("tokens",),
    "accepted": ("accepted", "proposed"),
    "blocks": ("blocks",),
    "programs": ("programs",),
    "cycles": ("cycles",),
}
"""Columns of the table and the figures in each."""

KEPT_A_CASE = 50
"""Mismatches that go into one JUnit case."""

FOLDED = ("tokens",)
"""Columns that give way on a narrow terminal, unlike names and numbers; their first line does not."""


def decoding_table(results: Sequence[TableResult]) -> Table:
    """Return the table of decodings: every published figure, and a verdict for each simulator beside it.

    The last column has the verdicts on the whole row: figures may be right where words are not.
    """
    table = _table(results, "run", *DECODING_COLUMNS, "all")
    section = ""
    for rows in zip(*(result.decodings for result in results), strict=True):
        if rows[0].section != section:
            section = rows[0].section
            table.add_section()
            table.add_row(f"[bold]{section}[/]")
        cells = [_cell([_find(row, names) for row in rows]) for names in DECODING_COLUMNS.values()]
        table.add_row(f" {rows[0].name}", *cells, "".join(GOOD if row.good else BAD for row in rows))
    return _keep_width(table)


def program_table(results: Sequence[TableResult]) -> Table:
    """Return the table of single programs, one figure a line."""
    table = _table(results, "program", "figure", "published")
    for rows in zip(*(result.programs for result in results), strict=True):
        for number, figures in enumerate(zip(*(row.figures for row in rows), strict=True)):
            cell = _cell([(figure,) for figure in figures])
            table.add_row(rows[0].name if number == 0 else "", figures[0].name, cell)
    return _keep_width(table)


def summary(results: Sequence[TableResult], seconds: float) -> dict[str, Any]:
    """Return all figures, published and found, as JSON values."""
    return {
        "good": all(result.good for result in results),
        "seconds": round(seconds, 2),
        "simulators": {
            result.simulator: {
                "good": result.good,
                "comparisons": result.comparisons,
                "mismatches": result.mismatches,
                "rows": [_row_summary(row) for row in result.rows],
            }
            for result in results
        },
    }


def cases(results: Sequence[TableResult], whole: Path) -> Iterator[Case]:
    """Yield one JUnit case a row and simulator, and one more for what belongs to no row.

    A case keeps its first mismatches and refers to the file `whole` for more.
    """
    for result in results:
        for row in result.rows:
            wrong = [
                f"{figure.name}: published {figure.published}, found {figure.found}"
                for figure in row.figures
                if not figure.good
            ]
            found = capped(row.mismatches, KEPT_A_CASE, whole)
            yield Case(result.simulator, f"{row.section}: {row.name}", row.seconds, (*wrong, *found))
        found = capped(result.mismatches, KEPT_A_CASE, whole)
        yield Case(result.simulator, "items and results", 0.0, tuple(found))


def _row_summary(row: Row) -> dict[str, Any]:
    figures = {
        figure.name: {"published": figure.published, "found": figure.found, "good": figure.good}
        for figure in row.figures
    }
    return {
        "section": row.section,
        "name": row.name,
        "good": row.good,
        "figures": figures,
        "mismatches": list(row.mismatches),
    }


def _table(results: Sequence[TableResult], first: str, *others: str) -> Table:
    verdicts = " and ".join(result.simulator for result in results)
    table = Table(box=SIMPLE_HEAD, padding=0, caption=f"verdicts: {verdicts}", caption_justify="left")
    table.add_column(first, no_wrap=True)
    for column in others:
        table.add_column(column, justify="right", overflow="fold", no_wrap=column not in FOLDED)
    return table


def _keep_width(table: Table) -> Table:
    """Let no column that must not wrap be cut either, however narrow the terminal."""
    for column in table.columns:
        cells = (Text.from_markup(str(cell)).split() for cell in (column.header, *column.cells))
        lines = [line for cell in cells for line in (cell if column.no_wrap else cell[:1])]
        column.min_width = max(line.cell_len for line in lines)
    return table


def _find(row: Row, names: tuple[str, ...]) -> tuple[Figure, ...]:
    return tuple(figure for figure in row.figures if figure.name in names)


def _cell(by_simulator: Sequence[tuple[Figure, ...]]) -> str:
    """Return published figures and each simulator's verdict on them; below, what was found if it is wrong."""
    published = next(filter(None, by_simulator), ())
    if not published:
        return ""
    wrong = [figures for figures in by_simulator if not (figures and all(figure.good for figure in figures))]
    marks = "".join(BAD if figures in wrong else GOOD for figures in by_simulator)
    lines = dict.fromkeys(filter(None, map(_found, wrong)))  # simulators mostly agree
    right = "/".join(figure.label or _text(figure.published) for figure in published)
    return "\n".join((f"{right} {marks}", *lines))


def _found(figures: tuple[Figure, ...]) -> str:
    if all(figure.found is None for figure in figures):
        return ""
    return "/".join(_difference(figure) for figure in figures)


def _difference(figure: Figure) -> str:
    """Return what was found; of a list only where it first differs."""
    published, found = figure.published, figure.found
    if not (isinstance(published, tuple) and isinstance(found, tuple)):
        return _text(found)
    pairs = enumerate(zip(published, found, strict=False))
    for position, (expected, value) in pairs:
        if value != expected:
            return f"at {position}: {value}, not {expected}"
    return f"{len(found)}, not {len(published)}"


def _text(value: Value | None) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "nothing" if value is None else f"{value:,}"
