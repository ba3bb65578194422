"""The qualification of the Python tests for people (rich) and for programs (JSON)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from regressions.published.view import BAD, GOOD
from regressions.software_qualification.outcome import Outcome


def qualification_table(outcomes: Sequence[Outcome]) -> Table:
    """Return a row a mutant, by category: the verdict, and the first test that killed it."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("mutant", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("killed by", overflow="fold")
    category = None
    for outcome in outcomes:
        if outcome.mutant.category is not category:
            category = outcome.mutant.category
            table.add_section()
            table.add_row(f"[bold]{category.value}[/]")
        mark = GOOD if outcome.good else BAD
        table.add_row(f" {outcome.mutant.name}", f"{mark} {outcome.verdict.value}", _short(outcome.killer))
    return table


def failures(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield a line for each mutant that was not killed."""
    for outcome in outcomes:
        if not outcome.good:
            yield f"{outcome.mutant.name}: {outcome.verdict.value}: {outcome.detail}: {outcome.mutant.broken}"


def summary(outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """Return all outcomes as JSON values."""
    return {
        "good": all(outcome.good for outcome in outcomes),
        "seconds": round(seconds, 2),
        "mutants": [
            {
                "name": outcome.mutant.name,
                "category": outcome.mutant.category.value,
                "file": outcome.mutant.file,
                "broken": outcome.mutant.broken,
                "tests": list(outcome.mutant.tests),
                "verdict": outcome.verdict.name.lower(),
                "killer": outcome.killer,
                "detail": outcome.detail,
            }
            for outcome in outcomes
        ],
    }


def _short(test: str) -> str:
    """Return a test without its directories and without its parameters."""
    return test.partition("[")[0].rpartition("/")[2]
