from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from refmodel.machine.result import Counters
from refmodel.speculative.host_loop import HostLoop
from regressions.decoding import outcome_on_model
from regressions.study.decodings import Decoding, Decodings, run_decodings
from regressions.study.equality import EqualityRun, equality_requests, study_equality
from regressions.tests.conftest import CommandLine
from sequences.decode_request import DecodeRequest
from verif.loop_outcome import LoopOutcome

RANDOM = DecodeRequest(target="random", target_seed=3, tokens=24)


def outcome(*tokens: int) -> LoopOutcome:
    return LoopOutcome(tokens, 0, 0, 0, 0, Counters(), (), 0, (), 0.0)


def decoding(request: DecodeRequest, *speculative: int) -> Decoding:
    return Decoding(request, outcome(1, 2, 3), outcome(*speculative))


def test_requests_cover_seeds_starts_and_modes() -> None:
    requests = equality_requests(RANDOM, 2)
    assert [(each.scales, each.target_seed, each.prompt) for each in requests] == [
        (scales, seed, (start,))
        for scales in ("shape", "model")
        for seed in (3, 4)
        for start in (0, 5, 10, 15)
    ]


def test_the_rate_and_where_tokens_differ() -> None:
    requests = equality_requests(RANDOM, 2)
    decodings = [decoding(request, 1, 2, 3) for request in requests]
    decodings[1] = decoding(requests[1], 1, 7, 3)
    decodings[2] = decoding(requests[2], 7, 2, 3)
    shape, model = study_equality(Decodings("model", tuple(decodings))).modes
    assert (shape.scales, shape.equal, shape.rate, shape.equal_targets) == ("shape", 6, 0.75, 1)
    assert (model.scales, model.equal, model.rate, model.equal_targets) == ("model", 8, 1.0, 2)
    assert [run.equal_tokens for run in shape.runs[:3]] == [3, 1, 0]
    assert EqualityRun(decodings[1]).to_json() == {
        "target_seed": 3,
        "start": 5,
        "equal": False,
        "equal_tokens": 1,
        "plain_tokens": [1, 2, 3],
        "speculative_tokens": [1, 7, 3],
    }
    assert EqualityRun(decodings[0]).to_json() == {
        "target_seed": 3, "start": 0, "equal": True, "equal_tokens": 3,
    }  # fmt: skip


def test_random_targets_differ_under_shape_scales_alone(command_line: CommandLine, tmp_path: Path) -> None:
    options = ("--targets", 2, "--seed", 3, "--tokens", 24)
    found = command_line("study", "equality", *options, "--json", tmp_path / "equality.json")
    assert found.status == 0
    document = json.loads((tmp_path / "equality.json").read_text())
    assert set(document) == {
        "study", "simulator", "target", "first_seed", "starts", "tokens", "k", "draft", "noise", "draft_seed",
        "modes",
    }  # fmt: skip
    shape, model = document["modes"]
    assert set(shape) == {"scales", "runs", "equal", "rate", "targets", "equal_targets", "outcomes"}
    assert (shape["runs"], model["runs"], model["equal"]) == (8, 8, 8)
    assert shape["equal"] < 8
    (first, *_) = (each for each in shape["outcomes"] if not each["equal"])
    command = f"decode --target random --target-seed {first['target_seed']} --start {first['start']} "
    line = next(line for line in found.output.splitlines() if command in line)
    assert line.startswith(f"{first['equal_tokens']} tokens equal: (cd ")
    words = line.removesuffix(")").partition(" -m regressions ")[2].split()
    again = command_line(*words, "--json", tmp_path / "again.json")
    assert "warning: speculative tokens" in again.error
    assert json.loads((tmp_path / "again.json").read_text())["tokens"] == first["speculative_tokens"]


def test_equal_runs_again_are_the_same() -> None:
    requests = equality_requests(replace(RANDOM, tokens=6), 1)
    first, second = (study_equality(run_decodings(requests, "model")).to_json() for _ in range(2))
    assert first == second


def test_a_difference_under_model_scales_is_a_mismatch(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong_when_speculative(loop: HostLoop, *arguments: object) -> LoopOutcome:
        found = outcome_on_model(loop, *arguments)  # type: ignore[arg-type]
        return replace(found, tokens=(*found.tokens[:-1], -1)) if found.blocks else found

    monkeypatch.setattr("regressions.study.decodings.outcome_on_model", wrong_when_speculative)
    found = command_line("study", "equality", "--targets", 1, "--tokens", 3)
    assert found.status == 1
    assert found.error.count("mismatch: ") == 4
    assert "scales='model'" in found.error
    assert "scales='shape'" not in found.error
