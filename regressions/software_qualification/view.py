"""The qualification of the Python tests for people (rich) and for programs (JSON)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from regressions.mutant_reports import mutant_table, summary_head
from regressions.published.view import BAD, GOOD
from regressions.software_qualification.outcome import Outcome


def qualification_table(outcomes: Sequence[Outcome]) -> Table:
    """Return a row a mutant, by category: the verdict, and the first test that killed it."""
    rows = (
        (
            outcome.mutant.category,
            outcome.mutant.name,
            [f"{GOOD if outcome.good else BAD} {outcome.verdict.value}", _short(outcome.killer)],
        )
        for outcome in outcomes
    )
    return mutant_table(["verdict", "killed by"], rows)


def failures(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield a line for each mutant that was not killed."""
    for outcome in outcomes:
        if not outcome.good:
            yield f"{outcome.mutant.name}: {outcome.verdict.value}: {outcome.detail}: {outcome.mutant.broken}"


def summary(outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """Return all outcomes as JSON values."""
    return {
        **summary_head(outcomes, seconds),
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
