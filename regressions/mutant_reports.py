"""What the reports of both qualifications have in common: a table of mutants, and the head of the summary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, Protocol

from rich.box import SIMPLE_HEAD
from rich.table import Table


class Judged(Protocol):
    """What became of a mutant."""

    @property
    def good(self) -> bool:
        """Is it as it must be?"""


def mutant_table(columns: Sequence[str], rows: Iterable[tuple[Enum, str, Sequence[str]]]) -> Table:
    """Return a row a mutant, given by category, name and other cells; categories stand above their first."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("mutant", no_wrap=True)
    for column in columns:
        table.add_column(column, overflow="fold")
    shown = None
    for category, name, cells in rows:
        if category is not shown:
            shown = category
            table.add_section()
            table.add_row(f"[bold]{category.value}[/]")
        table.add_row(f" {name}", *cells)
    return table


def summary_head(outcomes: Sequence[Judged], seconds: float) -> dict[str, Any]:
    """Return what a summary begins with, as JSON values."""
    return {"good": all(outcome.good for outcome in outcomes), "seconds": round(seconds, 2)}
