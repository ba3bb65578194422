"""The command line on the RTL, in each simulator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from regressions.tests.conftest import CommandLine
from sequences.golden import GOLDEN_DIRECTORY

RTL = Path(__file__).parent / "rtl"


def test_a_decoding_equals_the_models(simulator: str, command_line: CommandLine, tmp_path: Path) -> None:
    options = ("--target", "random", "--tokens", 3, "--k", 2, "--scales", "model", "--start", 7)
    results = {}
    for place in ("model", simulator):
        outcome = command_line("decode", *options, "--sim", place, "--json", tmp_path / "result.json")
        assert outcome.status == 0, outcome.error
        results[place] = json.loads((tmp_path / "result.json").read_text())
    rtl, model = results[simulator], results["model"]
    assert rtl.pop("comparisons") > 10_000
    assert model.pop("comparisons") == 0
    assert (rtl.pop("sim"), model.pop("sim")) == (simulator, "model")
    assert rtl == model


def test_a_replay_leaves_the_state_that_the_bundle_expects(
    simulator: str, command_line: CommandLine, tmp_path: Path
) -> None:
    source = GOLDEN_DIRECTORY / "vadd-argmax.json"
    outcome = command_line("replay", source, "--sim", simulator, "--json", tmp_path / "result.json")
    assert outcome.status == 0, outcome.error
    result, expect = (json.loads(path.read_text()) for path in (tmp_path / "result.json", source))
    expect = expect["expect"]
    assert result["counters"] == expect["counters"]
    assert result["ext"][: len(expect["ext"])] == expect["ext"]
    assert result["scratchpad"][: len(expect["scratchpad"])] == expect["scratchpad"]
    assert (result["match"], result["mismatches"]) == (True, [])


def test_a_wrong_expectation_is_a_mismatch(simulator: str, command_line: CommandLine, tmp_path: Path) -> None:
    bundle = json.loads((GOLDEN_DIRECTORY / "vadd-argmax.json").read_text())
    bundle["expect"]["ext"][3] ^= 1
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    outcome = command_line(
        "replay", tmp_path / "bundle.json", "--sim", simulator, "--json", tmp_path / "result.json"
    )
    assert outcome.status == 1
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["match"] is False
    assert len(result["mismatches"]) == 1
    assert outcome.error.startswith("mismatch: ")


def test_waves_are_dumped_where_asked(simulator: str, command_line: CommandLine, tmp_path: Path) -> None:
    waves = tmp_path / "waves.fst"
    source = GOLDEN_DIRECTORY / "load-store.json"
    assert command_line("replay", source, "--sim", simulator, "--waves", waves).status == 0
    assert waves.stat().st_size > 1000


def test_rtl_that_never_halts_is_a_hang(
    simulator: str, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RTL", str(RTL / "never_halts" / "ga2.sv"))
    monkeypatch.setenv("SCRATCHPAD", "words")
    outcome = command_line("replay", GOLDEN_DIRECTORY / "load-store.json", "--sim", simulator)
    assert outcome.status == 1
    assert outcome.error.startswith(f"error: {simulator}: the chip did not halt")


@pytest.mark.parametrize(
    ("variable", "value", "fragments"),
    [
        ("RTL", "/no/such/list.f", ["error: sim.mk: no such source file: /no/such/list.f (from RTL="]),
        ("RTL", str(GOLDEN_DIRECTORY / "README.md"), ["README.md", "failed"]),
        ("SCRATCHPAD", "u_nothing.mem", ["u_nothing.mem", "SCRATCHPAD"]),
    ],
)
def test_rtl_that_cannot_be_used_is_bad_input(
    variable: str,
    value: str,
    fragments: list[str],
    simulator: str,
    command_line: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(variable, value)
    outcome = command_line("replay", GOLDEN_DIRECTORY / "load-store.json", "--sim", simulator)
    assert outcome.status == 2
    assert outcome.error.startswith("error: ")
    assert "Traceback" not in outcome.error
    assert "pyuvm" not in outcome.error
    for fragment in fragments:
        assert fragment in outcome.error


def test_a_missing_simulator_is_named(command_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IVERILOG", "no-such-iverilog")
    outcome = command_line("replay", GOLDEN_DIRECTORY / "load-store.json", "--sim", "icarus")
    assert outcome.status == 2
    assert outcome.error == (
        "error: sim.mk: no-such-iverilog not found: install the Debian package iverilog\n"
    )
