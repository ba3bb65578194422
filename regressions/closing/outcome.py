"""All that a campaign has to tell, worked out once for every form that it is told in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from regressions.closing.campaign import Campaign
from regressions.closing.contribution import Contribution, contributions
from regressions.closing.growth import Growth, by_round, over_time
from regressions.closing.provenance import Provenance
from regressions.closing.resistance import Resistance, resistances
from regressions.closing.shape_costs import ShapeCost, shape_costs
from regressions.coverage.graded_run import GradedRun
from regressions.coverage.grading import grade
from regressions.coverage.summary import Summary
from regressions.testplan.plan import Plan, disagreements
from verif.code_coverage.score import CodeScore


@dataclass(frozen=True)
class Outcome:
    """The result of a campaign."""

    provenance: Provenance
    summary: Summary
    """Functional coverage."""
    code: CodeScore
    rounds: Sequence[Growth]
    """After each round, the base first."""
    growth: Sequence[Growth]
    """After each simulation, as they ended."""
    contributions: Sequence[Contribution]
    smallest: Sequence[GradedRun]
    """A smallest set of simulations that hits all that was hit."""
    holes: Sequence[Resistance]
    shapes: Sequence[ShapeCost]
    """Of every verifier block; all kinds of target take the same time."""
    plan: Sequence[str]
    """Where the states of the test plan and this campaign contradict each other."""

    @property
    def met(self) -> bool:
        """Is every goal met, and does the plan say so?"""
        return self._covered and not self.plan

    @property
    def verdict(self) -> str:
        """The same in words."""
        if not self._covered:
            return "not every goal is met"
        return "every coverage goal is met" + (", but the test plan says otherwise" if self.plan else "")

    @property
    def _covered(self) -> bool:
        return self.summary.met == len(self.summary.items) and not self.code.shortfalls

    @property
    def seconds(self) -> float:
        """How long the campaign was at work, interruptions left out."""
        return self.rounds[-1].seconds


def outcome_of(
    campaign: Campaign, summary: Summary, code: CodeScore, plan: Plan, provenance: Provenance
) -> Outcome:
    """Work it out; `summary` is what the campaign's last round has led to."""
    met = {each.item.name: each.met for each in summary.items}
    return Outcome(
        provenance=provenance,
        summary=summary,
        code=code,
        rounds=by_round(campaign),
        growth=over_time(campaign.runner),
        contributions=contributions(campaign.runner),
        smallest=grade(summary.database),
        holes=resistances(campaign, summary),
        shapes=shape_costs("structured"),
        plan=list(disagreements(plan, campaign.runner.model, met)),
    )
