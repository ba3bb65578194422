"""The published sweep over draft noise and k, and what the cost model says of it."""

from __future__ import annotations

from typing import Any

import pytest

from refmodel.language.draft import bigram_draft
from refmodel.published.tests.decoding import FIGURES, PublishedDecoder
from refmodel.published.tests.test_programs import counters, plain, verifier
from refmodel.speculative.cost_model import expected_tokens, predicted_speedup, serving_speedup


def cell_name(cell: dict[str, Any]) -> str:
    return f"noise={cell['noise']} k={cell['k']}"


@pytest.mark.parametrize("cell", FIGURES["sweep"], ids=cell_name)
def test_acceptance_and_speedup_of_every_cell(cell: dict[str, Any], shape_decoder: PublishedDecoder) -> None:
    done = shape_decoder.speculative("structured", 1, cell["k"], cell["noise"])
    plain_cycles = shape_decoder.plain("structured", 1).counters.cyc_total
    assert done.run.tokens == shape_decoder.plain("structured", 1).run.tokens
    assert round(100 * done.run.accepted / done.run.proposed) == cell["acceptance_percent"]
    assert round(plain_cycles / done.counters.cyc_total, 2) == cell["speedup"]


def test_the_sweep_has_twenty_five_cells() -> None:
    cells = {(cell["noise"], cell["k"]) for cell in FIGURES["sweep"]}
    assert cells == {(noise, k) for noise in (0, 3, 4, 5, 6) for k in (1, 2, 3, 4, 5)}


@pytest.mark.parametrize("cell", FIGURES["cost_model"], ids=cell_name)
def test_the_cost_model_predicts_the_published_speedup(
    cell: dict[str, Any], shape_decoder: PublishedDecoder
) -> None:
    k = cell["k"]
    run = shape_decoder.speculative("structured", 1, k, cell["noise"]).run
    family = shape_decoder.family("structured", 1)
    draft = family.for_speculation(bigram_draft(family.target), k)[1].draft()
    costs = [
        counters(shape_decoder, program).cyc_total
        for program in (plain(shape_decoder, 13), draft, verifier(shape_decoder, 12, k + 1))
    ]
    assert round(predicted_speedup(run.accepted / run.proposed, k, *costs), 2) == cell["predicted"]


def test_expected_tokens_is_the_sum_of_powers() -> None:
    assert expected_tokens(0.5, 3) == 1 + 0.5 + 0.25 + 0.125
    assert expected_tokens(0.0, 4) == 1.0
    assert expected_tokens(1.0, 4) == 5.0


def test_the_serving_arithmetic() -> None:
    assert round(serving_speedup(acceptance=0.8, k=4, draft_cost=0.05), 2) == 2.80
