"""Tables of numbers for the terminal, which lose no column however narrow it is."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.measure import Measurement
from rich.table import Table

from regressions.terminal import Terminal


def number_table(first: str, *others: str) -> Table:
    """Return an empty table: names on the left, numbers aligned to the right."""
    table = Table(box=SIMPLE_HEAD, padding=0)
    table.add_column(first, no_wrap=True)
    for column in others:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def uncut(table: Table) -> Table:
    """Give a table the width that it asks for, whatever the terminal's is; rich would drop columns."""
    boundless = Terminal(width=10_000)
    table.width = Measurement.get(boundless, boundless.options, table).maximum
    return table
