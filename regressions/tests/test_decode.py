from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refmodel.machine.result import Counters
from regressions.decoding import DecodeReport
from regressions.tests.conftest import CommandLine
from verif.loop_outcome import LoopOutcome

RULE_FROM_0 = [3, 2, 13, 4, 7, 6, 1, 8, 11, 10, 5, 12, 15, 14, 9, 0]
"""f(t) = (5t + 3) mod 16, by hand."""

KEYS = {
    "tokens",
    "plain_tokens",
    "equal",
    "accepted",
    "proposed",
    "blocks",
    "programs",
    "cycles",
    "plain_cycles",
    "speedup",
    "counters",
    "comparisons",
    "sim",
}


def decoded(command_line: CommandLine, directory: Path, *options: object) -> dict[str, Any]:
    outcome = command_line("decode", *options, "--json", directory / "result.json")
    assert outcome.status == 0, outcome.error
    result: dict[str, Any] = json.loads((directory / "result.json").read_text())
    assert set(result) == KEYS
    return result


def test_the_defaults_are_the_published_perfect_draft(command_line: CommandLine, tmp_path: Path) -> None:
    result = decoded(command_line, tmp_path)
    assert result["tokens"] == result["plain_tokens"] == 2 * RULE_FROM_0
    assert result["equal"] is True
    assert (result["accepted"], result["proposed"], result["blocks"], result["programs"]) == (24, 24, 8, 32)
    assert (result["cycles"], result["plain_cycles"]) == (138_858, 268_346)
    assert result["speedup"] == pytest.approx(268_346 / 138_858)
    counters = result["counters"]
    units = counters["cyc_mm"] + counters["cyc_dma"] + counters["cyc_vec"]
    assert counters["cyc_total"] == 2 * (counters["n_inst"] + result["programs"]) + units
    assert result["sim"] == "model"


def test_a_contrary_draft_costs_a_block_a_token(command_line: CommandLine, tmp_path: Path) -> None:
    result = decoded(command_line, tmp_path, "--draft", "contrary", "--k", 2, "--tokens", 3)
    assert result["tokens"] == RULE_FROM_0[:3]
    assert (result["accepted"], result["proposed"], result["blocks"]) == (0, 6, 3)


def test_a_plain_decoding_has_null_where_only_speculation_has_a_value(
    command_line: CommandLine, tmp_path: Path
) -> None:
    result = decoded(command_line, tmp_path, "--plain", "--tokens", 4)
    assert result["tokens"] == result["plain_tokens"] == RULE_FROM_0[:4]
    for key in ("equal", "accepted", "proposed", "blocks", "speedup"):
        assert result[key] is None
    assert result["programs"] == 4
    assert result["cycles"] == result["plain_cycles"]


def test_every_option_reaches_the_decoding(command_line: CommandLine, tmp_path: Path) -> None:
    options = "--target random --target-seed 1 --k 1 --noise 0 --draft-seed 1 --tokens 32 --start 0"
    result = decoded(command_line, tmp_path, *options.split(), "--scales", "model")
    assert (result["accepted"], result["proposed"], result["cycles"]) == (15, 17, 192_165)
    result = decoded(command_line, tmp_path, "--noise", 4)
    assert (result["accepted"], result["proposed"], result["cycles"]) == (18, 45, 266_098)


def test_a_prompt_is_fed_before_the_first_token(command_line: CommandLine, tmp_path: Path) -> None:
    prompt = ",".join(map(str, [0, *RULE_FROM_0[:3]]))
    result = decoded(command_line, tmp_path, "--prompt", prompt, "--tokens", 4, "--k", 1)
    assert result["tokens"] == RULE_FROM_0[3:7]
    assert result["programs"] == 3 + 2 * result["blocks"]


def test_saved_bundles_are_the_programs_in_order_and_can_be_replayed(
    command_line: CommandLine, tmp_path: Path
) -> None:
    bundles = tmp_path / "new" / "bundles"
    decoded(command_line, tmp_path, "--tokens", 4, "--save-bundles", bundles)
    names = sorted(path.name for path in bundles.iterdir())
    assert names == [
        "plain-000-plain.json",
        "plain-001-plain.json",
        "plain-002-plain.json",
        "plain-003-plain.json",
        "speculative-000-draft.json",
        "speculative-001-draft.json",
        "speculative-002-draft.json",
        "speculative-003-verifier.json",
    ]
    command_line("replay", bundles / names[0], "--json", tmp_path / "replayed.json")
    replayed = json.loads((tmp_path / "replayed.json").read_text())
    assert replayed["halted"]
    assert not replayed["fault"]


def test_rtl_that_counts_no_cycles_has_no_speedup() -> None:
    outcome = LoopOutcome((), 0, 0, 0, 0, Counters(), (), 1, ("cyc_total",), 1.0)
    assert DecodeReport("icarus", outcome, outcome, 1, outcome.mismatches).to_json()["speedup"] is None


def test_different_tokens_under_shape_scales_are_a_warning(command_line: CommandLine, tmp_path: Path) -> None:
    differing = ["--target", "random", "--target-seed", "3", "--start", "5", "--tokens", "24"]
    result = decoded(command_line, tmp_path, *differing, "--scales", "shape")
    assert result["equal"] is False
    assert command_line("decode", *differing).error.startswith("warning: speculative tokens")
    assert decoded(command_line, tmp_path, *differing, "--scales", "model")["equal"] is True
