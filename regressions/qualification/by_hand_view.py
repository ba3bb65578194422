"""The qualification for people (rich) and for programs (JSON)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from regressions.mutant_reports import mutant_table, summary_head
from regressions.published.view import BAD, GOOD
from verif.qualification.mutant import Category, FirstDivergence, Mutant
from verif.qualification.outcome import Outcome

ORDER = list(Category)


def qualification_table(outcomes: Sequence[Outcome]) -> Table:
    """Return a row a mutant, by category: what must be named, and each simulator's verdict.

    A verdict that is bad has below it what that simulator's report names instead.
    """
    simulators = list(dict.fromkeys(outcome.simulator for outcome in outcomes))
    by_mutant = sorted(_by_mutant(outcomes).items(), key=lambda item: ORDER.index(item[0].category))
    rows = (
        (
            mutant.category,
            mutant.name,
            [_text(mutant.expected, len(mutant.programs)), *map(_cell, of_mutant)],
        )
        for mutant, of_mutant in by_mutant
    )
    return mutant_table(["expected", *simulators], rows)


def failures(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield a line for each outcome that is not as expected."""
    for outcome in outcomes:
        if not outcome.good:
            yield f"{outcome.simulator}, {outcome.mutant.name}: {outcome.verdict.value}: {outcome.detail}"


def summary(outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """Return all outcomes as JSON values."""
    return {
        **summary_head(outcomes, seconds),
        "mutants": [
            {
                "name": mutant.name,
                "category": mutant.category.value,
                "file": mutant.file,
                "broken": mutant.broken,
                "programs": list(mutant.programs),
                "x_dependent": mutant.x_dependent,
                "expected": _json(mutant.expected),
                "simulators": {
                    outcome.simulator: {
                        "verdict": outcome.verdict.name.lower(),
                        "found": None if outcome.found is None else _json(outcome.found),
                        "programs_needed": outcome.programs_needed,
                        "detail": outcome.detail,
                    }
                    for outcome in of_mutant
                },
            }
            for mutant, of_mutant in _by_mutant(outcomes).items()
        ],
    }


def _by_mutant(outcomes: Sequence[Outcome]) -> dict[Mutant, list[Outcome]]:
    grouped: defaultdict[Mutant, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        grouped[outcome.mutant].append(outcome)
    return grouped


def _cell(outcome: Outcome) -> str:
    if outcome.good:
        return GOOD
    if outcome.found is None or outcome.programs_needed is None:
        return f"{BAD} {outcome.verdict.value}"
    return f"{BAD} {_text(outcome.found, outcome.programs_needed)}"


def _text(divergence: FirstDivergence, programs: int) -> str:
    """Return a divergence in a few words, and how many other programs must run before it."""
    text = f"{divergence.kind.value}, pc {divergence.pc} {divergence.opcode}"
    return text if programs == 1 else f"{text}, after {programs - 1} other"


def _json(divergence: FirstDivergence) -> dict[str, Any]:
    return {
        "kind": divergence.kind.name.lower(),
        "pc": divergence.pc,
        "opcode": divergence.opcode,
        "unit": None if divergence.unit is None else divergence.unit.name.lower(),
    }
