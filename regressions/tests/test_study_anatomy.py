from __future__ import annotations

import copy
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from refmodel.published import figures
from regressions.study.anatomy import AnatomyStudy, Pair, study_anatomy
from regressions.tests.conftest import CommandLine

FIGURES = figures()

WEIGHT_WORDS, WEIGHTS = 2_304, 7
LOAD_OVERHEAD = 8 + 1 + 2
"""Latency, control, and FETCH and ISSUE of a load."""

STUDY_KEYS = {
    "study", "target", "target_seed", "scales", "cached", "rows", "ratio", "counters", "instructions",
    "units", "stages", "matrix_parts", "words_loaded", "step_cycles", "published",
}  # fmt: skip


@pytest.fixture(scope="module")
def published_block() -> AnatomyStudy:
    return study_anatomy(cached=4, rows=4)


def test_the_counters_of_the_published_block_and_its_steps(published_block: AnatomyStudy) -> None:
    counters = {name: pair.block for name, pair in published_block.counters.items()}
    assert counters == {
        "cyc_total": 12_330, "cyc_mm": 7_732, "cyc_dma": 2_856, "cyc_vec": 1_532, "n_inst": 104,
    }  # fmt: skip
    steps = [step.counters.cyc_total for step in published_block.steps]
    assert steps == [7_378, 7_457, 7_536, 7_615]
    assert f"{published_block.ratio:.2f}" == "0.41"
    assert published_block.words_loaded == Pair(2_496, 2_448 + 2_480 + 2_512 + 2_544)
    assert len(published_block.figures) == 22
    assert all(figure.good for figure in published_block.figures)


def test_instructions_beside_those_of_the_steps(published_block: AnatomyStudy) -> None:
    block = {name: pair.block for name, pair in published_block.instructions.items()}
    assert block == {"LD": 10, "MM": 56, "RQ": 23, "SM": 4, "ST": 5, "VADD": 2, "AMAX": 4, "HALT": 1}
    # Tiles of 4 columns for q, k, v and the output projection, two for the scores of 5 to 8 keys, then the
    # weighted values, both layers of the feed-forward part, and the logits.
    tiles_of_a_step = 4 * 4 + 2 + 4 + 8 + 4 + 4
    assert published_block.instructions["MM"] == Pair(56, 4 * tiles_of_a_step)
    assert published_block.instructions["MM"].saved == 96
    assert published_block.instructions["LD"] == Pair(10, 4 * 10)


def test_weights_are_loaded_once_rather_than_four_times(published_block: AnatomyStudy) -> None:
    once = WEIGHT_WORDS + WEIGHTS * LOAD_OVERHEAD
    assert published_block.stages["weights"] == Pair(once, 4 * once)
    assert published_block.stages["weights"].saved == 3 * 2_381
    assert published_block.stages["HALT"] == Pair(2, 4 * 2)
    assert list(published_block.stages) == [
        "weights",
        "embeddings and cache",
        "queries, keys, values",
        "scores and softmax",
        "weighted values",
        "output projection",
        "feed-forward",
        "logits and tokens",
        "HALT",
    ]


def test_rows_share_the_staging_of_b_alone(published_block: AnatomyStudy) -> None:
    """A word of A is staged, and one of C written, as often in either; B is shared but in the attention."""
    parts = published_block.matrix_parts
    assert parts["stage A, one word a cycle"].saved == parts["write C, one word a cycle"].saved == 0
    weights_in_tiles = WEIGHT_WORDS
    assert parts["stage B, one word a cycle"].saved == 3 * weights_in_tiles
    assert parts["control"] == Pair(7 * 56, 7 * 152)


@pytest.mark.parametrize(("cached", "rows"), [(0, 1), (0, 5), (12, 4), (60, 4)])
@pytest.mark.parametrize("scales", ["shape", "model"])
def test_no_cycle_is_lost(cached: int, rows: int, scales: str) -> None:
    study = study_anatomy(cached, rows, "random", 2, "model" if scales == "model" else "shape")
    total = study.counters["cyc_total"]
    for pairs in (study.lanes, study.stages):
        assert sum(pair.block for pair in pairs.values()) == total.block
        assert sum(pair.steps for pair in pairs.values()) == total.steps
    phases = study.matrix_parts.values()
    summed = Pair(sum(pair.block for pair in phases), sum(pair.steps for pair in phases))
    assert summed == study.counters["cyc_mm"]
    instructions = study.instructions
    assert sum(pair.block for pair in instructions.values()) == study.counters["n_inst"].block + 1
    assert len(study.steps) == rows


def test_the_command_shows_and_writes_it(command_line: CommandLine, tmp_path: Path) -> None:
    outcome = command_line("study", "anatomy", "--json", tmp_path / "anatomy.json")
    assert outcome.status == 0
    block, steps = FIGURES["verifier"]["cyc_total"], sum(FIGURES["plain_cycles"].values())
    shown = f"the block takes {block:,} cycles, the steps {steps:,}: {block / steps:.2f} of them"
    assert shown in outcome.output
    assert "22 of 22 published figures reproduced" in outcome.output
    document = json.loads((tmp_path / "anatomy.json").read_text())
    assert set(document) == STUDY_KEYS
    assert document["counters"]["cyc_mm"] == {"block": 7_732, "steps": 17_236, "saved": 9_504}
    assert document["step_cycles"] == FIGURES["plain_cycles"]
    assert document["words_loaded"] == asdict(Pair(2_496, 9_984))


def test_a_published_figure_that_is_not_reproduced_is_a_mismatch(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = copy.deepcopy(figures())
    other["verifier"]["ops"]["LD"] = 11
    monkeypatch.setattr("regressions.study.anatomy.figures", lambda: other)
    outcome = command_line("study", "anatomy")
    assert outcome.status == 1
    assert "NOT reproduced: block: LD: published 11, found 10" in outcome.output
    assert "21 of 22 published figures reproduced" in outcome.output
