"""Every published figure of programs, decodings, the sweep and the cost model is measured again."""

from __future__ import annotations

from typing import Any

import pytest

from refmodel.published.decoder import FIGURES, PublishedDecoder
from refmodel.published.measured import MEASURED_ELSEWHERE
from refmodel.speculative.cost_model import expected_tokens, serving_speedup

SETTINGS = ("tokens", "start", "draft_seed")


@pytest.mark.parametrize("key", sorted(FIGURES.keys() - {*SETTINGS, *MEASURED_ELSEWHERE}))
def test_the_model_reproduces_the_published_figures(key: str, measured: dict[str, Any]) -> None:
    assert measured[key] == FIGURES[key]


def test_every_published_run_has_its_cycles() -> None:
    for key in ("runs", "model_scales"):
        assert len(FIGURES[key]) == 7
        assert all("cycles" in row for row in FIGURES[key])


def test_the_sweep_has_twenty_five_cells() -> None:
    cells = {(cell["noise"], cell["k"]) for cell in FIGURES["sweep"]}
    assert cells == {(noise, k) for noise in (0, 3, 4, 5, 6) for k in (1, 2, 3, 4, 5)}


@pytest.mark.parametrize("cell", FIGURES["sweep"], ids=lambda cell: f"noise={cell['noise']} k={cell['k']}")
def test_speculation_emits_the_plain_tokens_in_every_cell(
    cell: dict[str, Any], shape_decoder: PublishedDecoder
) -> None:
    done = shape_decoder.speculative("structured", 1, cell["k"], cell["noise"])
    assert done.run.tokens == shape_decoder.plain("structured", 1).run.tokens


def test_the_cycles_of_a_verifier_block_beside_its_units() -> None:
    """105 words (104 instructions and the HALT) of FETCH and ISSUE."""
    block = FIGURES["verifier"]
    assert block["cyc_total"] - block["cyc_mm"] - block["cyc_dma"] - block["cyc_vec"] == 210


def test_a_block_costs_two_fifths_of_the_four_steps_it_replaces() -> None:
    steps = sum(FIGURES["plain_cycles"][context] for context in ("5", "6", "7", "8"))
    assert round(FIGURES["verifier"]["cyc_total"] / steps, 2) == 0.41


def test_expected_tokens_is_the_sum_of_powers() -> None:
    assert expected_tokens(0.5, 3) == 1 + 0.5 + 0.25 + 0.125
    assert expected_tokens(0.0, 4) == 1.0
    assert expected_tokens(1.0, 4) == 5.0


def test_the_serving_arithmetic() -> None:
    assert round(serving_speedup(acceptance=0.8, k=4, draft_cost=0.05), 2) == 2.80
