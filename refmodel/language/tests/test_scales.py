"""Both modes of scale planning: which samples and ranges each shape gets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from refmodel.language.calibration import Calibration, largest
from refmodel.language.draft import bigram_draft
from refmodel.language.float_host_loop import float_host_loop
from refmodel.language.model_scales import ModelScales, role_ranges
from refmodel.language.programs import ProgramFamily
from refmodel.language.rollout import greedy_rollout
from refmodel.language.shape_scales import BlockShapeScales, GreedySequences, PlainShapeScales
from refmodel.language.target import random_target, structured

TARGET = random_target(8)


def assert_samples(calibration: Calibration, tokens: np.ndarray, cached: int) -> None:
    """Check that the samples are these token sequences: the first `cached` in the cache, then the block."""
    assert len(calibration.samples) == len(tokens)
    for inputs, sequence in zip(calibration.samples, tokens, strict=True):
        assert (inputs["x"] == TARGET.embedding[sequence[cached:]]).all()
        assert ("kc" in inputs) == ("vc" in inputs) == (cached > 0)
        if cached:
            prefix = TARGET.embedding[sequence[:cached]]
            assert np.abs(inputs["kc"] - prefix @ TARGET.wk).max() < 1e-12
            assert np.abs(inputs["vc"] - prefix @ TARGET.wv).max() < 1e-12


@pytest.mark.parametrize("context", [1, 2, 10])
def test_a_plain_step_sees_the_greedy_runs_under_ranges_over_all_contexts(context: int) -> None:
    calibration = PlainShapeScales(TARGET, 10).plain(context)
    tokens = greedy_rollout(TARGET, 10).tokens
    assert_samples(calibration, tokens[:, :context], context - 1)
    seen = TARGET.embedding[tokens[:, :10]]
    assert largest(seen[:, 1:] @ TARGET.wk) < largest(seen @ TARGET.wk), "starts matter for this target"
    assert calibration.ranges == {
        "x": largest(seen),
        "k": pytest.approx(largest(seen @ TARGET.wk), rel=1e-12),
        "v": pytest.approx(largest(seen @ TARGET.wv), rel=1e-12),
    }


@pytest.mark.parametrize(("cached", "rows"), [(0, 1), (0, 4), (9, 3)])
def test_a_shape_that_no_run_met_is_calibrated_on_greedy_sequences(cached: int, rows: int) -> None:
    calibration = GreedySequences(TARGET).verifier(cached, rows)
    tokens = greedy_rollout(TARGET, cached + rows).tokens[:, : cached + rows]
    assert_samples(calibration, tokens, cached)
    assert calibration.ranges["x"] == np.abs(TARGET.embedding).max()
    assert calibration.ranges["k"] == pytest.approx(largest(TARGET.embedding[tokens] @ TARGET.wk), rel=1e-12)
    assert calibration.ranges["v"] == pytest.approx(largest(TARGET.embedding[tokens] @ TARGET.wv), rel=1e-12)


def test_a_block_sees_what_the_float_host_loop_met_under_ranges_over_all_blocks() -> None:
    draft = bigram_draft(TARGET, noise=2.0)
    loop = float_host_loop(TARGET, draft, 2, 12)
    scales = BlockShapeScales(TARGET, draft, 2, 12)
    shapes = {(len(block.keys), len(block.x)) for block in loop.blocks}
    for shape in shapes:
        seen = [block for block in loop.blocks if (len(block.keys), len(block.x)) == shape]
        calibration = scales.verifier(*shape)
        assert len(calibration.samples) == len(seen)
        for inputs, block in zip(calibration.samples, seen, strict=True):
            assert (inputs["x"] == block.x).all()
            assert shape[0] == 0 or (inputs["kc"] == block.keys).all()
        assert calibration.ranges["x"] == np.abs(TARGET.embedding).max()
        assert calibration.ranges["k"] == max(np.abs(block.new_keys).max() for block in loop.blocks)
        assert calibration.ranges["v"] == max(np.abs(block.new_values).max() for block in loop.blocks)


def test_an_unvisited_block_falls_back_to_greedy_sequences() -> None:
    scales = BlockShapeScales(structured(), bigram_draft(structured()), 3, 12)
    assert scales.visited(4, 4)
    assert not scales.visited(5, 4)
    fallback = GreedySequences(structured()).verifier(5, 4)
    calibration = scales.verifier(5, 4)
    assert calibration.ranges == fallback.ranges
    assert all((a["kc"] == b["kc"]).all() for a, b in zip(calibration.samples, fallback.samples, strict=True))


def test_a_draft_sees_every_token_it_was_called_on_or_all_when_it_never_was() -> None:
    draft = bigram_draft(TARGET)
    called = float_host_loop(TARGET, draft, 2, 12).drafted
    samples = BlockShapeScales(TARGET, draft, 2, 12).draft().samples
    assert {tuple(inputs["x"][0]) for inputs in samples} == {tuple(TARGET.embedding[t]) for t in called}
    assert all(inputs["x"].shape == (1, 16) for inputs in samples)
    assert len(BlockShapeScales(TARGET, draft, 0, 12).draft().samples) == 16


@pytest.mark.parametrize(
    ("h_factor", "wo_factor", "y_factor", "ffn_factor"),
    [(1, 1, 1, 1), (0.01, 1, 1, 1), (0.01, 100, 1, 1), (1, 1, 0.01, 1), (1, 1, 0.01, 100)],
)
def test_role_ranges_cover_the_evaluations_and_widen_the_sums_to_their_operands(
    h_factor: float, wo_factor: float, y_factor: float, ffn_factor: float
) -> None:
    layers = [
        replace(
            layer,
            h=h_factor * layer.h,
            wo=wo_factor * layer.wo,
            y=y_factor * layer.y,
            ffn=ffn_factor * layer.ffn,
        )
        for layer in greedy_rollout(TARGET, 20).layers
    ]
    ranges = role_ranges(TARGET, layers)
    seen = {role: max(np.abs(getattr(layer, role)).max() for layer in layers) for role in ranges}
    assert ranges["x"] == np.abs(TARGET.embedding).max()
    for role in ("q", "k", "v", "attn", "wo", "relu", "ffn", "logits"):
        assert ranges[role] == seen[role], role
    assert ranges["h"] == max(seen["h"], ranges["x"], seen["wo"])
    assert ranges["y"] == max(seen["y"], ranges["h"], seen["ffn"])
    assert set(ranges) == {"x", "q", "k", "v", "attn", "wo", "h", "relu", "ffn", "y", "logits"}


@pytest.mark.parametrize(
    ("seed", "positions", "steps"), [(16, 32, 40), (16, 5, 13), (8, None, 64), (8, 62, 70)]
)
def test_model_scales_measure_the_wanted_length_and_eight_steps_more(
    seed: int, positions: int | None, steps: int
) -> None:
    target = random_target(seed)
    expected = role_ranges(target, greedy_rollout(target, steps).layers)
    assert expected != role_ranges(target, greedy_rollout(target, positions or 40).layers)
    scales = ModelScales(target, positions)
    for calibration in (scales.plain(1), scales.plain(7), scales.verifier(3, 4)):
        assert calibration.ranges == expected


def test_model_scales_give_one_scale_a_role_in_every_program() -> None:
    family = ProgramFamily(TARGET, "model", 10)
    programs = family.for_plain()
    found: dict[str, set[float]] = {}
    for program in (programs.plain(1), programs.plain(8), programs.verifier(0, 3), programs.verifier(6, 4)):
        for node, tag in program.graph.tags:
            found.setdefault(tag, set()).add(program.plan.scales[node])
    assert len(found) == 11
    assert all(len(scales) == 1 for scales in found.values()), found
