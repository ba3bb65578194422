"""`reproduce` and `diff` on good bundles and on bad input; verif/tests/test_failure.py has the failures."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regressions import rtl
from regressions.tests.conftest import CommandLine
from sequences.directed.directed_program import DirectedProgram
from sequences.golden import GOLDEN_DIRECTORY, load_golden
from sequences.preset import preset
from sequences.program_list_file import save_programs
from sequences.stimulus import ResponseDelays, Stimulus
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.simulation import Simulation
from verif.sources import source_digests

BUNDLE = GOLDEN_DIRECTORY / "vadd-argmax.json"
NEVER_HALTS = REPOSITORY / "regressions" / "tests" / "rtl" / "never_halts" / "ga2.sv"


def folder_of(directory: Path, simulator: str, stimulus: Stimulus, **changes: Any) -> Path:
    """Write a failure's folder whose program passes."""
    bundle = replace(preset(load_golden("load-store")), expect=None)
    directory.mkdir(exist_ok=True)
    save_programs(directory, [DirectedProgram("good", bundle, stimulus)])
    report = {
        "simulator": simulator,
        "seed": 3,
        "chip": {},
        "plusargs": [],
        "kind": "data",
        "first_sign": "a word",
        "sources": source_digests(changes.get("chip", os.environ)),
    }
    (directory / "report.json").write_text(json.dumps({**report, **changes}))
    return directory


@pytest.mark.parametrize(
    "stimulus",
    [
        Stimulus(),
        Stimulus(reset_first=True, reset_cycle=30),
        Stimulus(extra_start=(2, 400)),
        Stimulus(response_delays=ResponseDelays(5, 20)),
    ],
    ids=["plain", "reset", "restarted", "delayed"],
)
def test_a_failure_that_is_gone_is_nothing_to_explain(
    simulator: str, stimulus: Stimulus, command_line: CommandLine, tmp_path: Path
) -> None:
    outcome = command_line("reproduce", folder_of(tmp_path, simulator, stimulus))
    assert (outcome.status, outcome.error) == (0, "")
    assert "passes now" in outcome.output
    assert "nothing to explain" in outcome.output


def test_the_simulators_agree(command_line: CommandLine, tmp_path: Path) -> None:
    outcome = command_line("diff", BUNDLE, "--json", tmp_path / "diff.json")
    assert (outcome.status, outcome.error) == (0, "")
    result = json.loads((tmp_path / "diff.json").read_text())
    assert (result["same"], result["words"]) == (True, [])
    assert result["events_that_agree"] > 10
    events = f"icarus and verilator agree in all {result['events_that_agree']} events"
    assert outcome.output == f"{events} and in memory afterwards\n\nboth as the model predicts\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["diff", "no-such.json"], "no-such.json: cannot be read"),
        (["diff", BUNDLE, "--sims", "icarus"], "--sims icarus: name two of icarus, verilator"),
        (["diff", BUNDLE, "--sims", "icarus,icarus"], "name two of icarus, verilator"),
        (["diff", BUNDLE, "--sims", "icarus,verilogator"], "did you mean verilator?"),
        (["reproduce", "no/such/folder"], "no/such/folder/report.json: cannot be read: No such file"),
        (["reproduce", BUNDLE], "name the folder that a failure left"),
    ],
)
def test_bad_input_is_told_in_a_line(arguments: list[object], says: str, command_line: CommandLine) -> None:
    outcome = command_line(*arguments)
    assert outcome.status == 2
    assert says in outcome.error
    assert outcome.error.count("\n") == 1


@pytest.mark.parametrize("command", ["reproduce", "shrink"])
@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("report.json", "{", "report.json is damaged"),
        ("report.json", "{}", "report.json lacks chip, first_sign, kind, plusargs, seed, simulator"),
        ("report.json", "5", "report.json is damaged (it holds no object)"),
        ("programs.json", "[", "programs.json is damaged"),
        ("programs.json", '[{"name": "x"}]', "programs.json is damaged"),
        ("programs.json", "[]", "programs.json is damaged (List should have at least 1 item"),
        ("report.json", "[" * 100_000, "report.json is damaged (is nested more than 200 levels deep)"),
        ("report.json", '{"chip": {"RTL": "\\u0000"}}', "report.json is damaged (holds an escaped NUL"),
        (
            "report.json",
            '{"chip": {"\\ud800": ""}}',
            "report.json is damaged (holds an escaped NUL or half a",
        ),
        ("programs.json", '{"a":' * 100_000, "programs.json is damaged (Invalid JSON: recursion limit"),
        ("programs.json", '[{"bundle": "../x.json"}]', "programs.json is damaged (0.name: Field required"),
        ("program-00.json", '{"note": "\\u0000"}', "program-00.json: holds an escaped NUL"),
        ("program-00.json", "", "program-00.json: is not JSON"),
    ],
)
def test_a_damaged_folder_is_told_in_a_line(
    command: str, file: str, text: str, says: str, command_line: CommandLine, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path, "icarus", Stimulus())
    (folder / file).write_text(text)
    outcome = command_line(command, folder)
    assert outcome.status == 2
    assert says in outcome.error
    assert outcome.error.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("simulator", 3),
        ("seed", "one"),
        ("chip", "mine.f"),
        ("chip", {"RTL": 1}),
        ("plusargs", 5),
        ("plusargs", [1]),
        ("first_sign", None),
        ("sources", []),
        ("sources", "hdl"),
        ("sources", {"hdl/rtl/ga2.sv": 1}),
    ],
)
def test_a_damaged_setting_is_told_by_name(
    name: str, value: object, command_line: CommandLine, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path, "icarus", Stimulus())
    report = json.loads((folder / "report.json").read_text())
    (folder / "report.json").write_text(json.dumps({**report, name: value}))
    outcome = command_line("reproduce", folder)
    assert outcome.status == 2
    assert outcome.error == f"error: {tmp_path}/report.json is damaged ({name}); run what failed again\n"


@pytest.mark.parametrize("command", ["reproduce", "shrink"])
@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("chip", {"RTL": "$(shell touch PWNED)hdl/rtl/ga2.f"}, "RTL: $(shell is neither a source"),
        ("chip", {"RTL": "`touch PWNED`.sv"}, "RTL: `touch is neither a source"),
        ("chip", {"RTL": "-CFLAGS $(touch${IFS}PWNED) hdl/rtl/ga2.f"}, "option '-CFLAGS' is not allowed"),
        ("chip", {"RTL": "hdl/rtl/ga2.f", "MIRRORS": "$(shell touch PWNED)"}, "MIRRORS: "),
        ("chip", {"SCRATCHPAD": "x$(shell touch PWNED)"}, "SCRATCHPAD='x$(shell touch PWNED)': not a"),
        ("chip", {"SCRATCHPAD_WRITE": "a,b,$(shell${IFS}touch${IFS}PWNED)"}, "SCRATCHPAD_WRITE="),
        ("chip", {"PYTHON": "./evil"}, "chip: unknown variable 'PYTHON'"),
        ("plusargs", ["; touch PWNED"], "'; touch PWNED': not a plusarg"),
        ("plusargs", ["+waves=Makefile"], "'+waves=Makefile': not a plusarg"),
        ("plusargs", ["+verilator+coverage+file+Makefile"], "not a plusarg"),
        ("simulator", "icarus;touch PWNED", "unknown simulator 'icarus;touch PWNED'"),
    ],
)
def test_strangers_folder_with_a_command_is_refused(
    command: str, name: str, value: object, says: str, command_line: CommandLine, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path, "icarus", Stimulus())
    report = json.loads((folder / "report.json").read_text())
    (folder / "report.json").write_text(json.dumps({**report, name: value}))
    outcome = command_line(command, folder)
    assert (outcome.status, outcome.output) == (2, "")
    assert outcome.error.startswith(f"error: {tmp_path}/report.json is invalid: ")
    assert says in outcome.error
    assert outcome.error.count("\n") == 1
    assert not (REPOSITORY / "PWNED").exists()


@pytest.mark.parametrize("command", ["reproduce", "shrink"])
def test_strangers_folder_with_a_link_is_refused(
    command: str, command_line: CommandLine, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path / "folder", "icarus", Stimulus())
    (tmp_path / "victim").write_text("as it was\n")
    (folder / "deep").mkdir()
    (folder / "deep" / "report.txt").symlink_to(tmp_path / "victim")
    outcome = command_line(command, folder)
    assert (outcome.status, outcome.output) == (2, "")
    link = folder / "deep" / "report.txt"
    assert outcome.error == f"error: {link}: is a link, which nothing here makes; remove it\n"
    assert (tmp_path / "victim").read_text() == "as it was\n"


@pytest.mark.parametrize("command", ["reproduce", "shrink"])
def test_rtl_inside_a_strangers_folder_is_not_run(
    command: str, command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RTL", raising=False)
    chip = {"RTL": str(tmp_path / "evil.f")}
    (tmp_path / "evil.sv").write_text("module ga2; endmodule\n")
    (tmp_path / "evil.f").write_text("evil.sv\n")
    outcome = command_line(command, folder_of(tmp_path, "icarus", Stimulus(), chip=chip))
    assert (outcome.status, outcome.output) == (2, "")
    assert "evil.f: RTL inside the failure's folder is not run" in outcome.error


@pytest.mark.usefixtures("quick_build")
def test_what_fails_before_the_recorded_program_is_no_pass(
    simulator: str, command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of the series hangs, so that the second does not even run."""
    monkeypatch.delenv("RTL", raising=False)
    chip = {"RTL": str(NEVER_HALTS), "SCRATCHPAD": "words"}
    folder = folder_of(tmp_path, simulator, Stimulus(), chip=chip)
    bundle = preset(load_golden("load-store"))
    save_programs(folder, [DirectedProgram(name, bundle) for name in ("first", "second")])
    outcome = command_line("reproduce", folder)
    assert (outcome.status, outcome.error) == (1, "")
    assert "passes now" not in outcome.output
    assert "the chip did not halt" in outcome.output
    assert "ANOTHER divergence" in outcome.output


def test_what_the_harness_cannot_give_is_bad_input(command_line: CommandLine, tmp_path: Path) -> None:
    bundle = json.loads(BUNDLE.read_text())
    for key, value in (("read_latency", 100_000), ("ext_words", 1_000_000)):
        (tmp_path / "bundle.json").write_text(json.dumps({**bundle, key: value}))
        outcome = command_line("diff", tmp_path / "bundle.json")
        assert outcome.status == 2
        assert f"{key} is {value}, legal is 1.." in outcome.error


@pytest.mark.parametrize("command", ["reproduce", "diff", "replay"])
def test_an_interrupted_simulation_leaves_nothing(
    command: str, command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(simulation: Simulation) -> None:
        simulation.run_directory.mkdir(parents=True, exist_ok=True)
        raise KeyboardInterrupt

    monkeypatch.setattr(rtl, "OUT", tmp_path / "out")
    monkeypatch.setattr(Simulation, "run", interrupted)
    subject = folder_of(tmp_path, "icarus", Stimulus()) if command == "reproduce" else BUNDLE
    simulator = ["--sim", "icarus"] if command == "replay" else []
    assert command_line(command, subject, *simulator).status == 130
    assert list((tmp_path / "out" / "simulations").iterdir()) == []
