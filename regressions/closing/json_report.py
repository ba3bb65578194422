"""A campaign as one JSON object, format `ga2-closure/1` (docs/coverage.md)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from regressions.closing.contribution import Contribution
from regressions.closing.growth import Growth
from regressions.closing.outcome import Outcome
from verif.code_coverage.score import GOALS

FORMAT = "ga2-closure/1"


def to_json(outcome: Outcome) -> dict[str, Any]:
    """Return everything that the other forms of the report tell."""
    return {
        "format": FORMAT,
        "met": outcome.met,
        **{name: value for name, value in asdict(outcome.provenance).items() if name != "sources"},
        "seconds": outcome.seconds,
        "items": [
            {
                "name": each.item.name,
                "family": each.item.family,
                "feature": each.item.feature,
                "goal": each.item.goal,
                "hit": each.hit,
                "bins": each.item.bins,
            }
            for each in outcome.summary.items
        ],
        "code": [
            {
                "kind": each.kind.name.lower(),
                "hit": each.hit,
                "points": each.points,
                "excluded": each.excluded,
                "before": each.before,
                "after": each.after,
                "goal": GOALS[each.kind],
            }
            for each in outcome.code.kinds
        ],
        "code_problems": list(outcome.code.shortfalls),
        "rounds": [_growth(each) for each in outcome.rounds],
        "growth": [_growth(each) for each in outcome.growth],
        "simulations": [_simulation(each) for each in outcome.contributions],
        "smallest": [each.run.test for each in outcome.smallest],
        "holes": [asdict(each) for each in outcome.holes],
        "plan": list(outcome.plan),
        "shapes": [{**asdict(each), "speedup": round(each.speedup, 4)} for each in outcome.shapes],
    }


def _growth(each: Growth) -> dict[str, Any]:
    return {"simulations": each.simulations, "seconds": each.seconds, "hit": dict(each.hit)}


def _simulation(each: Contribution) -> dict[str, Any]:
    return {
        "name": each.job.name,
        "simulator": each.job.simulator,
        "test": each.job.test,
        "parameters": dict(each.job.parameters),
        "programs": each.programs,
        "cycles": each.took.cycles,
        "seconds": each.took.seconds,
        "ended": each.took.ended,
        "bins": each.bins,
        "first": each.first,
        "alone": each.alone,
    }
