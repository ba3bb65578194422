from __future__ import annotations

import json
from pathlib import Path

import pytest

from regressions.tests.conftest import CommandLine
from sequences.golden import GOLDEN_DIRECTORY, golden_names


@pytest.mark.parametrize("name", golden_names())
def test_a_golden_bundle_meets_its_expectation_on_the_model(
    name: str, command_line: CommandLine, tmp_path: Path
) -> None:
    source = GOLDEN_DIRECTORY / f"{name}.json"
    outcome = command_line("replay", source, "--sim", "model", "--json", tmp_path / "result.json")
    assert outcome.status == 0, outcome.error
    result = json.loads((tmp_path / "result.json").read_text())
    expect = json.loads(source.read_text())["expect"]
    assert (result["match"], result["mismatches"]) == (True, [])
    assert (result["halted"], result["fault"]) == (expect["halted"], expect["fault"])
    assert result["counters"] == expect["counters"]
    assert result["ext"][: len(expect["ext"])] == expect["ext"]
    assert not any(result["ext"][len(expect["ext"]) :])
    assert len(result["scratchpad"]) == 4096


def test_a_bundle_without_expectation_has_nothing_to_compare_with_on_the_model(
    command_line: CommandLine, tmp_path: Path
) -> None:
    bundle = json.loads((GOLDEN_DIRECTORY / "softmax.json").read_text())
    del bundle["expect"]
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    outcome = command_line("replay", tmp_path / "bundle.json", "--json", tmp_path / "result.json")
    assert outcome.status == 0
    assert json.loads((tmp_path / "result.json").read_text())["match"] is None


@pytest.mark.parametrize(
    ("key", "change", "message"),
    [
        ("ext", 7, "ext[7]: expected"),
        ("scratchpad", 100, "scratchpad[100]: expected"),
    ],
)
def test_one_wrong_word_is_a_mismatch(
    key: str, change: int, message: str, command_line: CommandLine, tmp_path: Path
) -> None:
    bundle = json.loads((GOLDEN_DIRECTORY / "softmax.json").read_text())
    words = bundle["expect"][key]
    words.extend([0] * (change + 1 - len(words)))
    words[change] ^= 1
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    outcome = command_line("replay", tmp_path / "bundle.json", "--json", tmp_path / "result.json")
    assert outcome.status == 1
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["match"] is False
    assert len(result["mismatches"]) == 1
    assert result["mismatches"][0].startswith(message)
    assert message in outcome.error


@pytest.mark.parametrize("counter", ["cyc_total", "cyc_mm", "cyc_dma", "cyc_vec", "n_inst"])
def test_a_wrong_counter_is_a_mismatch(counter: str, command_line: CommandLine, tmp_path: Path) -> None:
    bundle = json.loads((GOLDEN_DIRECTORY / "softmax.json").read_text())
    bundle["expect"]["counters"][counter] += 1
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    outcome = command_line("replay", tmp_path / "bundle.json")
    assert outcome.status == 1
    assert f"{counter}: expected" in outcome.error


def test_a_replay_without_a_scratchpad_starts_from_zeros(command_line: CommandLine, tmp_path: Path) -> None:
    text = "ST 100 0 4\nHALT\n.ext 0: 1 2 3 4\n"
    (tmp_path / "program.asm").write_text(text)
    assert command_line("asm", tmp_path / "program.asm", "-o", tmp_path / "bundle.json").status == 0
    command_line("replay", tmp_path / "bundle.json", "--json", tmp_path / "result.json")
    assert json.loads((tmp_path / "result.json").read_text())["ext"][:5] == [0, 0, 0, 0, 0]


def test_many_mismatches_are_counted_and_kept_in_the_json_file(
    command_line: CommandLine, tmp_path: Path
) -> None:
    bundle = json.loads((GOLDEN_DIRECTORY / "softmax.json").read_text())
    bundle["expect"]["ext"] = [word ^ 1 for word in bundle["expect"]["ext"]] + [1] * 4000
    bundle["expect"]["ext"] = bundle["expect"]["ext"][:4000]
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    result = tmp_path / "result.json"
    outcome = command_line("replay", tmp_path / "bundle.json", "--json", result)
    assert outcome.status == 1
    *shown, last = outcome.error.splitlines()
    assert len(shown) == 40
    assert last == f"{len(json.loads(result.read_text())['mismatches']) - 40} more in {result}"
