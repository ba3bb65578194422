"""Failures shrink by themselves, to the same programs on both simulators."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

from refmodel.isa.encoding import decode
from refmodel.isa.syntax import format_instruction
from sequences.directed.directed_program import DirectedProgram, bundle_of
from sequences.program_list_file import load_programs, save_programs
from sequences.stimulus import PLAIN
from verif.failure.investigation import explanation_lines, run_explained
from verif.failure.reproduction import reproduce
from verif.qualification.mutant import Mutant
from verif.qualification.mutants import MUTANTS
from verif.qualification.qualify import prepare, simulation_of
from verif.run_report import RunReport
from verif.shrinking.legality import is_legal
from verif.simulation.chip import SIMULATORS
from verif.simulation.simulation import KEEP_GOING, BrokenSimulationError, Simulation
from verif.tests.conftest import SharedFailure
from verif.waves.leaving import has_window

BY_NAME = {mutant.name: mutant for mutant in MUTANTS}


@dataclass(frozen=True)
class Smallest:
    """What must be left of a mutant's programs."""

    programs: list[list[str]]
    """Instructions with all addresses 0; in fact they are 0 and the few that follow."""
    data: list[int]
    """Words that are not 0, of all programs."""


SMALLEST = {
    # −1·1 / 2^0 is the smallest accumulator, multiplier and shift with a negative result.
    "relu_ignored": Smallest([["RQ 0 0 1 1 0 1", "HALT"]], [-1]),
    # The second row divides by the sum of both.
    "sum_cleared_by_reset_alone": Smallest([["SM 0 0 1", "SM 0 0 1", "HALT"]], []),
    "division_never_done": Smallest([["SM 0 0 1", "HALT"]], []),
    # The fault of the first program still shows in FETCH of the second, at an LD, whose unit shrinking keeps.
    "fault_kept_at_start": Smallest([["illegal opcode 9"], ["LD 0 0 1", "HALT"]], []),
    # Wrong before it starts, whatever the program is, if it has an instruction of that unit.
    "counters_survive_reset": Smallest([["AMAX 0 0 1", "HALT"]], []),
    # The trace shows a length that must fault as it runs; nothing but the length matters.
    "length_4096_runs": Smallest([["RQ 0 0 4096 0 0 0"]], []),
}


FAST = {
    "relu_ignored": SIMULATORS,
    "division_never_done": ("verilator",),
    "fault_kept_at_start": ("icarus",),
}
"""Where data, a hang and a series shrink in `make test`: each takes some fifteen simulations."""


def test_a_failure_that_does_not_show_again_leaves_no_step(
    simulator: str, run_directory: Path, tmp_path: Path
) -> None:
    series = tmp_path / "series"
    series.mkdir()
    save_programs(series, [DirectedProgram("sound", bundle_of([]))])
    parameters = {"series": str(series), "steps": str(tmp_path / "steps"), "kind": "DATA", "unit": None}
    budget = {"pc": 0, "trials": 10, "cycles": 1000}
    report = Simulation(simulator, "shrink.ShrinkTest", run_directory, {**parameters, **budget}).run()
    assert (report.error, report.payload) == ("", {})
    assert not (tmp_path / "steps").exists()


def _sampled(name: str) -> ParameterSet:
    marks = [pytest.mark.slow(each) for each in SIMULATORS if each not in FAST.get(name, ())]
    return pytest.param(name, id=name, marks=marks)


@pytest.mark.parametrize("name", [_sampled(name) for name in SMALLEST])
def test_nothing_is_left_but_what_matters(
    name: str, shared_failure: SharedFailure, run_directory: Path
) -> None:
    folder = _shrunk(shared_failure(name), run_directory)
    series = load_programs(folder / "shrunk")
    assert [[_text(word) for word in program.bundle.code] for program in series] == SMALLEST[name].programs
    assert [value for program in series for value in _data(program)] == SMALLEST[name].data
    assert all(program.stimulus == PLAIN for program in series)
    original, shrunk = (_report(each) for each in (folder, folder / "shrunk"))
    assert original["shrunk"]["complete"]
    assert original["shrunk"]["programs"] == len(series)
    assert original["shrunk"]["original_cycles"] >= original["shrunk"]["cycles"]
    assert shrunk["shrunk_from"]["trials"] == original["shrunk"]["trials"] > 0
    text = " ".join((folder / "report.txt").read_text().split())
    assert f" {original['shrunk']['sentence']}; see shrunk/report.txt reproduce " in text
    assert "  shrunk from  " in (folder / "shrunk" / "report.txt").read_text()


@pytest.mark.slow("icarus")
def test_an_assertion_of_the_chip_does_not_keep_it_from_shrinking(
    simulator: str, run_directory: Path
) -> None:
    simulation = _simulation(BY_NAME["store_strobe_stays"], simulator, run_directory)
    selected = tuple(argument for argument in simulation.plusargs if argument != KEEP_GOING)
    folder = _shrunk(_explained(replace(simulation, plusargs=selected)), run_directory)
    (program,) = load_programs(folder / "shrunk")
    assert [_text(word) for word in program.bundle.code] == ["ST 0 0 1", "HALT"]


def _simulation(mutant: Mutant, simulator: str, run_directory: Path) -> Simulation:
    return simulation_of(mutant, simulator, prepare(), run_directory)


def _shrunk(told: RunReport | BrokenSimulationError, directory: Path) -> Path:
    """Return the folder of a failure, whose shrunk one is seen to fail again."""
    assert told.failure is not None, told.explanation
    folder = Path(told.failure)
    original, shrunk = (_report(each) for each in (folder, folder / "shrunk"))
    assert (original["kind"], original["unit"]) == (shrunk["kind"], shrunk["unit"])
    assert shrunk["reproduced"]
    assert all(has_window(each) for each in (folder, folder / "shrunk"))
    assert original["shrunk"]["sentence"] in explanation_lines(told)
    assert original["shrunk"]["sentence"].startswith("shrunk to ")
    series = load_programs(folder / "shrunk")
    assert is_legal(series)
    assert all(program.bundle.scratchpad is not None for program in series)
    assert reproduce(folder / "shrunk", directory / "seen-again").is_the_same
    return folder


def _explained(simulation: Simulation) -> RunReport | BrokenSimulationError:
    """Return what is told of a failure; the chip's own assertion may be the first to notice it."""
    try:
        return run_explained(simulation, simulation.run_directory.with_suffix(".failures"))
    except BrokenSimulationError as error:
        return error


def _text(word: int) -> str:
    """Return an instruction with all addresses 0."""
    instruction: Any = decode(word)
    addresses = {name: getattr(instruction, name) for name in ("dst", "src") if hasattr(instruction, name)}
    assert all(address < 4 for address in addresses.values())
    return format_instruction(replace(instruction, **dict.fromkeys(addresses, 0)))


def _data(program: DirectedProgram) -> list[int]:
    images = (program.bundle.scratchpad, program.bundle.ext)
    return [value for image in images if image is not None for value in image.view("i4").tolist() if value]


def _report(folder: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return report
