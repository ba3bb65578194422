"""The sweep, and the cost model that is held against it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from refmodel.language.programs import ScaleMode
from refmodel.published import figures
from regressions.study.cost_model import CostModelStudy, study_cost_model
from regressions.study.decodings import Decodings, run_decodings
from regressions.study.serving import ServingStudy
from regressions.study.sweep import SweepStudy, study_sweep, sweep_requests
from sequences.decode_request import DecodeRequest

DRAFT, BLOCK = figures()["draft_cycles"], figures()["verifier_cycles_m4"]["12"]
"""Cycles of a draft step, and of the block of four rows over 12 cached ones."""

PUBLISHED = {
    0: ((100, "1.47"), (100, "1.69"), (100, "1.93"), (100, "1.59"), (100, "1.64")),
    3: ((94, "1.38"), (83, "1.56"), (96, "1.69"), (78, "1.42"), (80, "1.43")),
    4: ((74, "1.23"), (47, "1.09"), (40, "1.01"), (30, "0.74"), (31, "0.76")),
    5: ((43, "1.02"), (29, "0.88"), (25, "0.80"), (24, "0.66"), (19, "0.58")),
    6: ((32, "0.94"), (22, "0.81"), (14, "0.66"), (11, "0.48"), (9, "0.43")),
}
"""By noise, for k = 1 to 5: acceptance in percent, and speedup."""

CYCLES = {0: 138_858, 3: 158_818, 4: 266_098}
"""Published for k = 3, under both modes of scales."""

PLAIN_CYCLES = 268_346


@pytest.fixture(scope="module")
def decodings() -> Decodings:
    return run_decodings(sweep_requests(DecodeRequest()), "model")


@pytest.fixture(scope="module")
def sweep(decodings: Decodings) -> SweepStudy:
    return study_sweep(decodings)


@pytest.fixture(scope="module")
def cost_model(decodings: Decodings) -> CostModelStudy:
    one_mode = tuple(each for each in decodings.decodings if each.request.scales == "shape")
    return study_cost_model(study_sweep(replace(decodings, decodings=one_mode)))


@pytest.mark.parametrize("scales", ["shape", "model"])
def test_every_cell_is_as_published(sweep: SweepStudy, scales: ScaleMode) -> None:
    found = {
        noise: tuple(
            (round(100 * cell.acceptance), f"{cell.speedup:.2f}")
            for cell in (sweep.cell(scales, noise, k) for k in (1, 2, 3, 4, 5))
        )
        for noise in PUBLISHED
    }
    assert found == PUBLISHED
    for noise, cycles in CYCLES.items():
        decoding = sweep.cell(scales, noise, 3).decoding
        assert decoding.speculative.counters.cyc_total == cycles
        assert decoding.plain.counters.cyc_total == PLAIN_CYCLES


def test_the_sweep_judges_what_is_published(sweep: SweepStudy) -> None:
    # 25 acceptances and speedups; of k = 3 under shape scales tokens, accepted, proposed, blocks, programs
    # and cycles; under model scales tokens and cycles.
    assert len(sweep.figures) == 2 * 25 + 3 * 6 + 3 * 2
    assert all(figure.good for figure in sweep.figures)
    assert len(sweep.cells) == 50
    assert sweep.equal("shape") == sweep.equal("model") == 25
    assert sweep.same_figures("shape", "model")


def test_a_cell_with_other_figures_is_seen(sweep: SweepStudy) -> None:
    changed = replace(sweep, cells=(*sweep.cells[:-1], sweep.cell("model", 0, 1)))
    assert not changed.same_figures("shape", "model")


def test_tokens_a_block_and_cycles_a_token(sweep: SweepStudy) -> None:
    cell = sweep.cell("shape", 4, 3)  # 18 of 45 guesses stand in 15 blocks
    assert cell.tokens_a_block == pytest.approx(33 / 15)
    assert cell.cycles_a_token == 266_098 / 32


def test_a_cell_as_json(sweep: SweepStudy) -> None:
    document = sweep.to_json()
    assert set(document) == {
        "study", "simulator", "target", "target_seed", "draft_seed", "tokens", "start", "noises", "ks",
        "cells", "published",
    }  # fmt: skip
    assert (document["noises"], document["ks"]) == ([0, 3, 4, 5, 6], [1, 2, 3, 4, 5])
    (cell,) = (
        cell for cell in document["cells"] if (cell["scales"], cell["noise"], cell["k"]) == ("model", 4, 3)
    )
    assert cell == {
        "scales": "model",
        "noise": 4,
        "k": 3,
        "accepted": 18,
        "proposed": 45,
        "blocks": 15,
        "acceptance": 0.4,
        "tokens_a_block": pytest.approx(2.2),
        "cycles": 266_098,
        "plain_cycles": 268_346,
        "cycles_a_token": 266_098 / 32,
        "speedup": 268_346 / 266_098,
        "equal": True,
    }


def test_the_cost_model_predicts_what_is_published(cost_model: CostModelStudy) -> None:
    predicted = {noise: f"{cost_model.prediction(noise, 3).predicted:.2f}" for noise in (0, 3, 4)}
    assert predicted == {0: "1.92", 3: "1.82", 4: "0.78"}
    measured = {noise: f"{cost_model.prediction(noise, 3).measured:.2f}" for noise in (0, 3, 4)}
    assert measured == {0: "1.93", 3: "1.69", 4: "1.01"}
    assert len(cost_model.figures) == 3
    assert all(figure.good for figure in cost_model.figures)


def test_the_costs_are_those_of_the_programs(cost_model: CostModelStudy) -> None:
    costs = cost_model.costs
    assert (costs.draft, costs.verify[3]) == (DRAFT, BLOCK)
    assert costs.block(3) == 3 * DRAFT + BLOCK
    assert set(costs.verify) == {1, 2, 3, 4, 5}


def test_the_measured_tokens_a_block_take_the_place_of_e(cost_model: CostModelStudy) -> None:
    cell = cost_model.prediction(4, 3)
    assert cell.by_tokens == pytest.approx(33 / 15 * cost_model.costs.plain / (3 * DRAFT + BLOCK))
    assert cell.error < 0 < cell.error_of_costs
    perfect = cost_model.prediction(0, 3)
    assert perfect.by_tokens == pytest.approx(perfect.predicted)


def test_errors_are_parts_of_the_measurement(cost_model: CostModelStudy) -> None:
    cell = cost_model.prediction(4, 3)
    assert round(100 * cell.error) == -23  # 0.78 of 1.01
    errors = [abs(each.predicted / each.measured - 1) for each in cost_model.predictions]
    assert cost_model.mean_error == pytest.approx(sum(errors) / 25)


def test_the_cost_model_as_json(cost_model: CostModelStudy) -> None:
    document = cost_model.to_json()
    assert set(document) == {
        "study", "simulator", "target", "target_seed", "scales", "tokens", "costs", "cells", "mean_error",
        "mean_error_of_costs", "published",
    }  # fmt: skip
    assert set(document["costs"]) == {"cached", "plain", "draft", "verify"}
    assert len(document["cells"]) == 25
    assert all(
        set(cell)
        == {
            "noise", "k", "acceptance", "expected_tokens", "tokens_a_block", "predicted", "measured", "error",
            "predicted_by_tokens", "error_of_costs",
        }
        for cell in document["cells"]
    )  # fmt: skip


def test_the_serving_arithmetic() -> None:
    serving = ServingStudy(0.05)
    assert f"{serving.speedup(0.8, 4):.2f}" == "2.80"
    # (1 − 0.8^(k+1)) / 0.2 / (1 + 0.05·k): 3.082 at 7, 3.092 at 8, 3.078 at 9
    assert serving.best_k(0.8) == 8
    assert ServingStudy(0.0).best_k(0.5) == 10
    assert ServingStudy(10.0).best_k(0.9) == 1
    row = next(row for row in serving.to_json()["rows"] if row["acceptance"] == 0.8)
    assert row["best_k"] == 8
    assert row["speedups"]["4"] == pytest.approx(2.8013, abs=1e-4)  # 3.36160 / 1.2
