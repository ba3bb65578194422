"""What a failure leaves, and that it can be seen again; verif/qualification has failures of every kind."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from refmodel.isa.instructions import Load, Requantize
from refmodel.machine.tests.helpers import program
from sequences.bundle_file import save_bundle
from verif.bfm.chip_rule import ChipRule
from verif.failure.investigation import run_explained
from verif.qualification.mutants import MUTANTS
from verif.qualification.mutated_rtl import MIRRORS, plusargs
from verif.qualification.qualify import prepare, simulation_of
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect
from verif.simulation.simulation import KEEP_GOING, Simulation
from verif.sources import area_digests, source_digests
from verif.trace.trace_reader import MOST_EVENTS

Fail = Callable[..., RunReport]


@pytest.fixture
def failing(simulator: str, tmp_path: Path) -> Callable[[str], Simulation]:
    """Return a function that makes the simulation of a mutant's programs."""

    def simulation(name: str) -> Simulation:
        (mutant,) = (mutant for mutant in MUTANTS if mutant.name == name)
        return simulation_of(mutant, simulator, prepare(), tmp_path / "simulation")

    return simulation


@pytest.fixture
def fail(failing: Callable[[str], Simulation], tmp_path: Path) -> Fail:
    """Return a function that lets a mutant fail and be explained; test_failure_folder.py has what follows."""
    failures = tmp_path / "failures"
    return lambda name, **settings: run_explained(
        replace(failing(name), **settings), failures, shrink=False, window=False
    )


def test_the_folder_is_complete(relu_failure: RunReport, simulator: str) -> None:
    folder, found = _folder(relu_failure)
    assert (
        found.items() >= {"simulator": simulator, "seed": 1, "reproduced": True, "programs_needed": 1}.items()
    )
    assert found.items() >= {"kind": "data", "opcode": "RQ", "unit": "vector"}.items()
    assert {"pc", "cycle", "expected", "found", "operands", "retires_before", "mismatches"} <= found.keys()
    assert found["tensor"]["tensor"] in found["tensor"]["element"]
    assert set(found["tools"]) > {"python", "cocotb", "pyuvm", simulator}
    assert len(found["commit"].removesuffix("-dirty")) == 40
    text = (folder / "report.txt").read_text()
    for expected in (found["message"][:60], found["command"], str(found["tensor"]["element"]), "seed 1"):
        assert expected in text
    assert found["chip"] == {"RTL": prepare(), "MIRRORS": MIRRORS}
    assert found["sources"] == source_digests(found["chip"])
    areas = ", ".join(f"{area} {digest}" for area, digest in area_digests(found["sources"]).items())
    assert f"  sources      {areas}\n" in text
    assert f"first divergence: wrong data, pc {found['pc']}" in relu_failure.explanation


def test_the_command_brings_the_same_divergence_back(relu_failure: RunReport) -> None:
    _, found = _folder(relu_failure)
    done = _run(found["command"])
    assert done.returncode == 1, done.stderr
    assert done.stdout.endswith("the same as recorded\n")
    assert found["message"][:60] in done.stdout


@pytest.mark.slow("verilator")
def test_the_command_tells_what_is_not_as_recorded(relu_failure: RunReport, tmp_path: Path) -> None:
    shared, found = _folder(relu_failure)
    folder = shutil.copytree(shared, tmp_path / "copy")
    assert str(shared) in found["command"]
    found["command"] = found["command"].replace(str(shared), str(folder))
    other = {**found, "cycle": found["cycle"] + 1}
    (folder / "report.json").write_text(json.dumps(other))
    assert "ANOTHER divergence" in _run(found["command"]).stdout
    foreign = {**found, "sources": {**found["sources"], "refmodel/isa/untracked.py": "0" * 16}}
    (folder / "report.json").write_text(json.dumps(foreign))
    done = _run(found["command"])
    assert done.returncode == 1
    same, though = done.stdout.splitlines()[-2:]
    assert same == "the same as recorded"
    assert though.startswith("it still fails, though the sources are not those that failed: model (refmodel/")
    repaired = {**found, "plusargs": []}
    (folder / "report.json").write_text(json.dumps(repaired))
    done = _run(found["command"])
    assert (done.returncode, done.stderr) == (0, "")
    assert "passes now" in done.stdout


@pytest.mark.slow("icarus")
def test_state_of_an_earlier_program_is_found_as_such(fail: Fail) -> None:
    folder, found = _folder(fail("top_cleared_by_reset_alone"))
    assert found["programs_needed"] == 2
    first, second = (each["name"] for each in json.loads((folder / "programs.json").read_text()))
    assert found["program"] == second
    assert f"fails only after {first}" in (folder / "report.txt").read_text()
    assert _run(found["command"]).stdout.endswith("the same as recorded\n")


@pytest.mark.slow("icarus")
def test_a_hang_is_explained(hang_failure: RunReport) -> None:
    assert hang_failure.error_kind == "hang"
    _, found = _folder(hang_failure)
    assert (found["kind"], found["opcode"], found["found"]) == ("hang", "SM", None)
    assert _run(found["command"]).returncode == 1


def test_an_assertion_of_the_chip_is_a_failed_check_and_hides_no_cause(fail: Fail) -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "store_strobe_stays")
    selected = tuple(argument for argument in plusargs(mutant.name) if argument != KEEP_GOING)
    report = fail("store_strobe_stays", plusargs=selected)
    rule = ChipRule.CHIP_ACCESS
    named = [each for each in report.mismatches if (each.aspect, each.where) == (Aspect.CHECK, rule.name)]
    assert named
    assert rule.sentence in named[0].expected
    assert "the first in cycle" in named[0].found
    assert report.failure is not None
    found = json.loads((Path(report.failure) / "report.json").read_text())
    assert found["kind"] == "write_outside_turn"


@pytest.mark.slow("verilator")  # a build of its own
def test_without_the_write_port_the_last_writer_is_named(fail: Fail) -> None:
    _, found = _folder(fail("clamp_begins_at_129", scratchpad="u_scratchpad.mem", scratchpad_write="none"))
    assert (found["kind"], found["opcode"], found["unit"]) == ("state", "RQ", "vector")
    assert "SCRATCHPAD_WRITE" in found["remarks"][0]


@pytest.mark.slow
def test_a_failure_after_the_kept_events_is_named(
    failing: Callable[[str], Simulation], tmp_path: Path
) -> None:
    """A wrong word that a later load overwrites: neither an event nor memory at the end shows it."""
    loads = [Load(0, 0, 4095)] * (MOST_EVENTS // 4095 + 1)
    wrong = Requantize(dst=4000, src=0, length=8, multiplier=1, shift=0, relu=True)
    bundle = program(*loads, wrong, Load(4000, 0, 8), ext=[-5] * 8, ext_words=4095)
    save_bundle(tmp_path / "long.json", bundle)
    simulation = replace(
        failing("relu_ignored"),
        test="replay.ReplayTest",
        parameters={"bundles": [str(tmp_path / "long.json")]},
    )
    report = run_explained(simulation, tmp_path / "failures", shrink=False, window=False)
    assert report.explanation.startswith("no event that was seen differs (the first ")
    assert f"writes, instruction {len(loads)} (RQ), wrong word" in report.explanation
    assert report.failure is not None


@pytest.mark.slow("verilator")
def test_a_folder_that_cannot_be_written_hides_no_divergence(
    failing: Callable[[str], Simulation], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    report = run_explained(failing("relu_ignored"), tmp_path / "file")
    assert not report.passed
    assert report.failure is None
    assert "first divergence: wrong data" in report.explanation
    assert "cannot be written: Not a directory" in report.explanation


def test_a_passing_run_leaves_nothing(failing: Callable[[str], Simulation], tmp_path: Path) -> None:
    report = run_explained(replace(failing("relu_ignored"), plusargs=()), tmp_path / "failures")
    assert (report.passed, report.failure, report.explanation) == (True, None, "")
    assert not (tmp_path / "failures").exists()


def _folder(report: RunReport) -> tuple[Path, dict[str, Any]]:
    assert report.failure is not None, report.explanation
    folder = Path(report.failure)
    return folder, json.loads((folder / "report.json").read_text())


def _run(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command as the report spells it, from another directory."""
    return subprocess.run(["bash", "-c", command], cwd="/", capture_output=True, text=True, check=False)
