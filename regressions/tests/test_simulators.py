"""The command line on the RTL, in each simulator."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions import rtl as rtl_runs
from regressions.tests.conftest import CommandLine
from sequences.golden import GOLDEN_DIRECTORY
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.sim_make import OUT
from verif.simulation.simulation import KilledSimulationError, Simulation
from verif.waves.dump import WaveDump
from verif.waves.window import WaveWindow

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


def test_all_waves_are_dumped_where_asked(simulator: str, command_line: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "it's $all waves.fst"
    source = GOLDEN_DIRECTORY / "load-store.json"
    outcome = command_line("replay", source, "--sim", simulator, "--waves", "all", "--waves-file", file)
    assert outcome.status == 0, outcome.error
    assert outcome.output.startswith(f"waves: {file}\n")
    dump = WaveDump(file)
    expected = json.loads(source.read_text())["expect"]["counters"]["cyc_total"]
    window = WaveWindow(1, expected)
    assert list(dump.cycles(window)) == list(range(1, expected + 1))
    last = dump.values("ga2_tb.cyc_total", dump.cycles(window).values())
    assert last is not None
    assert last[-1].bits == expected - 1


def test_a_good_replay_dumps_nothing(simulator: str, command_line: CommandLine) -> None:
    before = sorted((OUT / "waves").glob(f"{simulator}-load-store*.fst"))
    for choice in ("window", "none"):
        source = GOLDEN_DIRECTORY / "load-store.json"
        assert command_line("replay", source, "--sim", simulator, "--waves", choice).status == 0
    assert sorted((REPOSITORY / "out" / "waves").glob(f"{simulator}-load-store*.fst")) == before


@pytest.mark.usefixtures("quick_build", "unshrunk")
def test_rtl_that_never_halts_is_a_hang(
    simulator: str, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RTL", str(RTL / "never_halts" / "ga2.sv"))
    monkeypatch.setenv("SCRATCHPAD", "words")
    result = tmp_path / "result.json"
    result.write_text('{"match": true}')  # of an earlier run
    outcome = command_line(
        "replay", GOLDEN_DIRECTORY / "load-store.json", "--sim", simulator, "--json", result
    )
    assert outcome.status == 1
    assert outcome.error.startswith(f"error: {simulator}: the chip did not halt")
    assert not result.exists()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ('$fatal(1, "a rule")', "a rule"),
        pytest.param("$finish", "prematurely", marks=pytest.mark.slow("verilator")),
    ],
)
def test_rtl_that_ends_the_simulation_is_no_pass(
    statement: str,
    says: str,
    simulator: str,
    command_line: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
    rtl_directory: Path,
) -> None:
    source = (RTL / "never_halts" / "ga2.sv").read_text()
    before = "running <= running | start;"
    assert before in source
    (rtl_directory / "ga2.sv").write_text(source.replace(before, f"{before}\n if (start) {statement};"))
    monkeypatch.setenv("RTL", str(rtl_directory / "ga2.sv"))
    monkeypatch.setenv("SCRATCHPAD", "words")
    outcome = command_line("replay", GOLDEN_DIRECTORY / "load-store.json", "--sim", simulator)
    assert outcome.status == 1
    assert len(outcome.error.splitlines()) == 1
    assert f"on {simulator} broke off" in outcome.error
    assert says in outcome.error


@pytest.mark.usefixtures("unshrunk")
def test_rtl_that_the_host_cannot_follow_is_a_mismatch(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, rtl_directory: Path
) -> None:
    """AMAX gives tokens far outside the vocabulary. How it is told does not depend on the simulator."""
    for file in (REPOSITORY / "hdl" / "rtl").glob("ga2*"):
        shutil.copy(file, rtl_directory)
    unit = rtl_directory / "ga2_argmax.sv"
    right, wrong = "write_data_o = best_index_q", "write_data_o = best_index_q | 12'd2304"
    assert right in unit.read_text()
    unit.write_text(unit.read_text().replace(right, wrong))
    names = (rtl_directory / "ga2.f").read_text().replace("hdl/rtl/", "")
    (rtl_directory / "ga2.f").write_text(names)
    monkeypatch.setenv("RTL", str(rtl_directory / "ga2.f"))
    monkeypatch.delenv("SCRATCHPAD", raising=False)
    outcome = command_line("decode", "--tokens", 2, "--sim", "icarus")
    assert outcome.status == 1
    assert "what the host cannot use" in outcome.error
    assert "mismatches before that, the first: plain-000-plain: external memory" in outcome.error
    assert len(outcome.error.splitlines()) == 1


@pytest.mark.usefixtures("quick_build")
@pytest.mark.parametrize(
    ("variable", "value", "fragments"),
    [
        ("RTL", "/no/such/list.f", ["error: sim.mk: no such source file: /no/such/list.f (from RTL="]),
        ("RTL", str(GOLDEN_DIRECTORY / "README.md"), ["README.md is neither a source"]),
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


@pytest.mark.parametrize(("variable", "tool"), [("IVERILOG", "no-such-iverilog"), ("VVP", "no-such-vvp")])
def test_a_missing_simulator_is_named(
    variable: str, tool: str, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, tool)
    outcome = command_line("replay", GOLDEN_DIRECTORY / "load-store.json", "--sim", "icarus")
    assert outcome.status == 2
    assert outcome.error == f"error: sim.mk: {tool} not found: install the Debian package iverilog\n"


def test_a_simulation_that_was_killed_says_nothing_of_the_chip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KilledSimulationError("it was killed after 600 s by the clock")

    monkeypatch.setattr(rtl_runs, "run_explained", fail)
    with pytest.raises(Ga2Error, match="killed after 600 s") as caught:
        rtl_runs.run_simulation(Simulation("icarus", "directed.DirectedTest", tmp_path))
    assert not isinstance(caught.value, rtl_runs.RtlFailure)
