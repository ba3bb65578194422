"""The cost model beside the measurement: what acceptance and the cost of a block say of the speedup."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import Any

from refmodel.language.draft import make_draft
from refmodel.language.programs import ProgramFamily
from refmodel.language.target import make_target
from refmodel.published import figures
from refmodel.speculative.cost_model import expected_tokens, predicted_speedup
from regressions.published.table import Figure
from regressions.study.published import figures_json, is_published_sweep, published_cell, ratio
from regressions.study.step_programs import cycles_of
from regressions.study.sweep import Cell, SweepStudy
from sequences.decode_request import DecodeRequest

CACHED = 12
"""Rows in the cache of the block that stands for all blocks; the plain step beside it attends to one more."""


@dataclass(frozen=True)
class Costs:
    """What the cost model is told of the chip, in cycles."""

    plain: int
    """A plain step over `CACHED` rows."""
    draft: int
    """A draft step."""
    verify: dict[int, int]
    """A verifier block of k + 1 rows over `CACHED` rows, by k."""

    def block(self, k: int) -> int:
        """Return the cycles of k draft steps and their verifier block."""
        return k * self.draft + self.verify[k]


@dataclass(frozen=True)
class Prediction:
    """One cell of a sweep, as predicted and as measured."""

    cell: Cell
    predicted: float

    @property
    def measured(self) -> float:
        """The speedup of the cell."""
        return self.cell.speedup

    @property
    def error(self) -> float:
        """Part of the measurement by which the prediction is too high."""
        return self.predicted / self.measured - 1.0

    @property
    def by_tokens(self) -> float:
        """The prediction with the tokens a block that were measured in the place of E.

        Guesses behind a wrong one are never looked at, yet count as proposed. So the acceptance is below the
        chance of a single guess, and E below the tokens that blocks emit, unless all guesses stand.
        """
        return self.predicted * self.cell.tokens_a_block / expected_tokens(self.cell.acceptance, self.cell.k)

    @property
    def error_of_costs(self) -> float:
        """The error that is left then: of the costs at one context, and of the last block's overshoot."""
        return self.by_tokens / self.measured - 1.0

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "noise": self.cell.noise,
            "k": self.cell.k,
            "acceptance": self.cell.acceptance,
            "expected_tokens": expected_tokens(self.cell.acceptance, self.cell.k),
            "tokens_a_block": self.cell.tokens_a_block,
            "predicted": self.predicted,
            "measured": self.measured,
            "error": self.error,
            "predicted_by_tokens": self.by_tokens,
            "error_of_costs": self.error_of_costs,
        }


@dataclass(frozen=True)
class CostModelStudy:
    """The predictions for one mode of scales."""

    sweep: SweepStudy
    costs: Costs
    predictions: tuple[Prediction, ...]
    figures: tuple[Figure, ...]
    """Those that are published."""

    @property
    def mean_error(self) -> float:
        """Mean of the errors, signs apart."""
        return fmean(abs(each.error) for each in self.predictions)

    @property
    def mean_error_of_costs(self) -> float:
        """The same with the tokens a block that were measured."""
        return fmean(abs(each.error_of_costs) for each in self.predictions)

    def prediction(self, noise: float, k: int) -> Prediction:
        """Return the prediction for one cell."""
        return next(each for each in self.predictions if (each.cell.noise, each.cell.k) == (noise, k))

    def to_json(self) -> dict[str, Any]:
        """Return it as docs/studies.md describes it."""
        request = self.sweep.request
        return {
            "study": "cost-model",
            "simulator": self.sweep.simulator,
            "target": request.target,
            "target_seed": request.target_seed,
            "scales": request.scales,
            "tokens": request.tokens,
            "costs": {
                "cached": CACHED,
                "plain": self.costs.plain,
                "draft": self.costs.draft,
                "verify": {str(k): cycles for k, cycles in self.costs.verify.items()},
            },
            "cells": [each.to_json() for each in self.predictions],
            "mean_error": self.mean_error,
            "mean_error_of_costs": self.mean_error_of_costs,
            "published": figures_json(self.figures),
        }


def study_cost_model(sweep: SweepStudy) -> CostModelStudy:
    """Predict every cell of a sweep over one mode of scales from its acceptance and the programs' costs."""
    costs = step_costs(sweep.request, sweep.ks)
    predictions = tuple(
        Prediction(
            cell,
            predicted_speedup(cell.acceptance, cell.k, costs.plain, costs.draft, costs.verify[cell.k]),
        )
        for cell in sweep.cells
    )
    judged = tuple(figure for each in predictions for figure in _figures(each))
    return CostModelStudy(sweep, costs, predictions, judged)


def step_costs(request: DecodeRequest, ks: tuple[int, ...]) -> Costs:
    """Return what the programs of a request take, for each of these k."""
    family = ProgramFamily(make_target(request.target, request.target_seed), request.scales, request.tokens)
    targets, drafts = family.for_speculation(make_draft(request.draft, family.target), max(ks))
    return Costs(
        plain=cycles_of(targets.plain(CACHED + 1)),
        draft=cycles_of(drafts.draft()),
        verify={k: cycles_of(targets.verifier(CACHED, k + 1)) for k in ks},
    )


def _figures(prediction: Prediction) -> list[Figure]:
    cell = prediction.cell
    entry = published_cell(figures()["cost_model"], cell.noise, cell.k)
    if entry is None or not is_published_sweep(cell.decoding.request):
        return []
    name = f"noise {cell.noise:g}, k = {cell.k}: predicted"
    return [Figure(name, ratio(entry["predicted"]), ratio(prediction.predicted))]
