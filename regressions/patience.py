"""What the user sees while nothing else can be seen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from regressions.choices import MODEL
from regressions.terminal import Terminal


@contextmanager
def working(what: str, simulator: str) -> Iterator[None]:
    """Show on standard error that work goes on, if it is a terminal; the model needs no patience."""
    console = Terminal(stderr=True)
    if simulator == MODEL or not console.is_terminal:
        yield
        return
    with console.status(f"{what} in {simulator}"):
        yield
