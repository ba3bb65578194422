from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from refmodel.published import figures
from regressions.study.blocks import BlockStudy, study_blocks
from regressions.study.decodings import run_decodings
from regressions.tests.conftest import CommandLine
from sequences.decode_request import DecodeRequest

FIGURES = figures()
DRAFT_CYCLES = FIGURES["draft_cycles"]
PLAIN_CYCLES, SPECULATIVE_CYCLES = (
    next(row["cycles"] for row in FIGURES["runs"] if (row["target"], row.get("k")) == ("random", k))
    for k in (None, 3)
)
CHIP_BLOCKS = [
    # last, drafted, choices, accepted; as published for the random target of seed 1
    (0, (5, 3, 13), (5, 3, 13, 9), 3),
    (9, (10, 9, 10), (1, 11, 10, 11), 0),
    (1, (9, 10, 9), (11, 10, 11, 10), 0),
    (11, (11, 11, 11), (11, 11, 11, 11), 3),
]
STUDY_KEYS = {
    "study", "simulator", "request", "tokens", "plain_tokens", "equal", "cycles", "plain_cycles", "speedup",
    "blocks", "published",
}  # fmt: skip
BLOCK_KEYS = {
    "cached", "last", "drafted", "choices", "accepted", "draft_cycles", "verifier_cycles", "tokens", "cycles",
    "plain_cycles", "next_token", "all_accepted", "tokens_a_kilocycle", "speedup",
}  # fmt: skip


@cache
def studied(target: str, noise: float, k: int = 3, tokens: int = 32) -> BlockStudy:
    request = DecodeRequest(target=target, noise=noise, k=k, tokens=tokens)
    return study_blocks(run_decodings([request], "model").decodings[0], "model")


def test_the_first_blocks_of_the_random_target_are_the_published_ones() -> None:
    study = studied("random", 0)
    blocks = [(block.last, block.drafted, block.choices, block.accepted) for block in study.blocks]
    assert blocks[:4] == CHIP_BLOCKS
    assert (len(study.blocks), sum(block.accepted for block in study.blocks)) == (10, 24)
    assert [block.next_token for block in study.blocks[:4]] == [9, 1, 11, 11]
    assert [block.all_accepted for block in study.blocks[:4]] == [True, False, False, True]
    last = study.blocks[-1]
    assert (last.cycles, last.plain_cycles) == (SPECULATIVE_CYCLES, PLAIN_CYCLES)
    assert study.speedup == PLAIN_CYCLES / SPECULATIVE_CYCLES
    assert len(study.figures) == 10
    assert all(figure.good for figure in study.figures)


def test_a_perfect_draft_fills_every_block_at_the_published_cost() -> None:
    study = studied("structured", 0)
    assert [block.cached for block in study.blocks] == [0, 4, 8, 12, 16, 20, 24, 28]
    verifiers = {block.cached: block.verifier_cycles for block in study.blocks}
    assert (verifiers[4], verifiers[12], verifiers[24]) == (12_330, 14_410, 17_530)
    assert {block.draft_cycles for block in study.blocks} == {3 * DRAFT_CYCLES}
    assert [block.tokens for block in study.blocks] == [4, 8, 12, 16, 20, 24, 28, 32]
    assert study.blocks[-1].cycles == 138_858


def test_plain_cycles_are_those_of_as_many_tokens() -> None:
    first, second, *_ = studied("structured", 0).blocks
    assert second.plain_cycles - first.plain_cycles == 7_378 + 7_457 + 7_536 + 7_615  # contexts 5 to 8
    assert second.speedup == second.plain_cycles / second.cycles
    assert second.tokens_a_kilocycle == pytest.approx(8000 / second.cycles)


def test_what_the_last_block_overshoots_by_is_no_token() -> None:
    study = studied("structured", 0, k=5, tokens=8)
    assert [block.tokens for block in study.blocks] == [6, 8]
    assert len(study.blocks[-1].emitted) == 6


def test_blocks_emit_the_decoded_tokens() -> None:
    for noise in (0, 3, 4):
        study = studied("structured", noise)
        emitted = [token for block in study.blocks for token in block.emitted]
        assert tuple(emitted[:32]) == study.decoding.speculative.tokens
        assert sum(block.accepted for block in study.blocks) == study.decoding.speculative.accepted


def test_a_figure_that_is_not_published_is_not_judged() -> None:
    assert studied("structured", 5).figures == ()


def test_the_command_shows_and_writes_every_block(command_line: CommandLine, tmp_path: Path) -> None:
    outcome = command_line("study", "blocks", "--json", tmp_path / "blocks.json")
    assert outcome.status == 0
    assert "10 of 10 published figures reproduced" in outcome.output
    speedup = f"{PLAIN_CYCLES / SPECULATIVE_CYCLES:.2f}x"
    cost = f"{SPECULATIVE_CYCLES:,} cycles against {PLAIN_CYCLES:,} plainly: {speedup}, tokens equal"
    assert cost in outcome.output
    lines = [line.split() for line in outcome.output.splitlines() if line.strip()[:1].isdigit()]
    assert lines[1][:8] == ["2", "4", "9", "10", "9", "10", "0", "≠"]
    assert max(len(line.rstrip()) for line in outcome.output.splitlines()) <= 80
    document: dict[str, Any] = json.loads((tmp_path / "blocks.json").read_text())
    assert set(document) == STUDY_KEYS
    assert all(set(block) == BLOCK_KEYS for block in document["blocks"])
    assert document["blocks"][1]["choices"] == [1, 11, 10, 11]
    assert document["request"]["target"] == "random"


def test_the_rtl_has_the_same_blocks(simulator: str, command_line: CommandLine, tmp_path: Path) -> None:
    documents = {}
    for place in ("model", simulator):
        options = ("--tokens", 6, "--sim", place, "--json", tmp_path / f"{place}.json")
        outcome = command_line("study", "blocks", *options)
        assert outcome.status == 0, outcome.error
        documents[place] = json.loads((tmp_path / f"{place}.json").read_text())
        assert documents[place].pop("simulator") == place
    assert documents["model"] == documents[simulator]
    assert len(documents["model"]["blocks"]) == 3
