"""Whole folders of failures: the waves show what the reports say, and what is left fails in the same way.

The RTL is broken as the qualification does it. What finds it are the mutants' own programs, compiled ones and
series among them, and random programs, of which nobody knows beforehand what they do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pywellen
from _pytest.mark.structures import ParameterSet

from sequences.program_list_file import load_programs
from sequences.random_programs.weights import SHORT_WEIGHTS
from verif.bfm.harness import TOP
from verif.failure.investigation import run_explained
from verif.failure.reproduction import reproduce
from verif.failure.shrinking import instructions_of
from verif.qualification.mutant import Mutant
from verif.qualification.mutants import MUTANTS
from verif.qualification.qualify import prepare, simulation_of
from verif.run_report import RunReport
from verif.shrinking.legality import is_legal
from verif.simulation.chip import SIMULATORS
from verif.simulation.simulation import Simulation
from verif.tests.conftest import SharedFailure
from verif.waves.leaving import DUMP, PICTURE, SAVE, TEXT

BY_NAME = {mutant.name: mutant for mutant in MUTANTS}

RANDOM_PROGRAMS = 60
"""The first ones of seed 1, small ones; each mutant below is found by one of them."""

FOUND_AT_RANDOM = (
    "last_maximum",
    "softmax_tie_rounds_down",
    "clamp_begins_at_129",
    "single_column_not_cleared",
    "request_address_of_twelve_bits",
    "counters_survive_reset",
    "addition_length_from_c",
    "requantizer_strobe_stays",
    "stride_of_a_for_b",
    "division_never_done",
)
"""Of every unit: data, addresses, times, counters, ties, stale state and a hang."""

PERIOD, SETTLE_TIME = 10_000, 1_000
"""Of the clock, and from its edge to the harness's samples, in picoseconds."""

COMPILED = [
    mutant for mutant in MUTANTS if mutant.programs[-1].startswith(("plain-step/", "verifier-block/"))
]
ACROSS_PROGRAMS = [mutant for mutant in MUTANTS if len(mutant.programs) > 1]


def _sampled(names: Sequence[str], fast: Mapping[str, Sequence[str]]) -> list[ParameterSet]:
    """Return the names; `fast` are the simulators on which one is not slow."""
    return [
        pytest.param(
            name,
            id=name,
            marks=[pytest.mark.slow(each) for each in SIMULATORS if each not in fast.get(name, ())],
        )
        for name in names
    ]


FAST = {
    "relu_ignored": SIMULATORS,
    "division_never_done": ("verilator",),
    "fault_kept_at_start": ("icarus",),
}
"""Data in a compiled program, a hang and a series, where test_shrinking.py lets them fail too."""


def test_there_are_enough_of_each_kind() -> None:
    assert "relu_ignored" in {mutant.name for mutant in COMPILED}
    assert "fault_kept_at_start" in {mutant.name for mutant in ACROSS_PROGRAMS}
    assert len(FOUND_AT_RANDOM) >= 6
    assert len(COMPILED) >= 6
    assert len(ACROSS_PROGRAMS) >= 2


@pytest.mark.parametrize("name", _sampled(list(BY_NAME), FAST))
def test_mutants_own_programs(name: str, shared_failure: SharedFailure, run_directory: Path) -> None:
    folder = _require_whole_folder(shared_failure(name), run_directory)
    assert len(load_programs(folder / "shrunk")) == len(BY_NAME[name].programs)


@pytest.mark.parametrize("name", _sampled(FOUND_AT_RANDOM, {"last_maximum": ["verilator"]}))
def test_random_programs(name: str, simulator: str, run_directory: Path) -> None:
    simulation = _random_programs(BY_NAME[name], simulator, run_directory)
    told = run_explained(simulation, run_directory.with_suffix(".failures"))
    _require_whole_folder(told, run_directory)


def _random_programs(mutant: Mutant, simulator: str, directory: Path) -> Simulation:
    return replace(
        simulation_of(mutant, simulator, prepare(), directory),
        test="random_programs.RandomProgramTest",
        parameters={"seed": 1, "count": RANDOM_PROGRAMS, "weights": str(SHORT_WEIGHTS)},
    )


def _require_whole_folder(told: RunReport, directory: Path) -> Path:
    """Hold what a failure left against what must be true of it; return the folder."""
    assert told.failure is not None, told.explanation
    folder = Path(told.failure)
    shrunk = folder / "shrunk"
    for each in (folder, shrunk):
        _require_window(each)
        assert all((each / file).stat().st_size for file in (PICTURE, SAVE, TEXT))
    original, left = _report(folder), _report(shrunk)
    assert (left["kind"], left["unit"]) == (original["kind"], original["unit"])
    programs, series = load_programs(folder), load_programs(shrunk)
    assert instructions_of(series) <= max(6, instructions_of(programs) // 4)
    assert len(series) <= len(programs)
    assert is_legal(series)
    assert reproduce(shrunk, directory / "seen-again").is_the_same
    return folder


def _require_window(folder: Path) -> None:
    """Read the dump with nothing of the project's but the names, and look for what the report tells."""
    report = _report(folder)
    first, last = report["waves"]["first"], report["waves"]["last"]
    signals = {each.full_name: each for each in pywellen.Waveform(str(folder / DUMP)).all_vars()}
    changes = signals[f"{TOP}.u_waves.cycle"].tv
    ticks = {cycle: tick - SETTLE_TIME for tick, cycle in changes if isinstance(cycle, int)}  # or x

    def at(name: str, cycle: int) -> Any:
        return signals[name].signal.value_at(ticks[cycle] + PERIOD - SETTLE_TIME)

    assert first in ticks
    pcs = {at(f"{TOP}.imem_addr", cycle) for cycle in ticks if first <= cycle <= last}
    found = report["found"]
    assert (report["pc"] if found is None else found["pc"]) in pcs
    if found is None or report["kind"] == "state":
        return
    cycle = found["first_cycle"] if "first_cycle" in found else found["cycle"]
    assert first <= cycle <= last
    if found["kind"] == "scratchpad write":
        port = [f"{TOP}.u_waves.scratchpad_write{field}" for field in ("", "_addr", "_data")]
        _require_write(found, [at(name, cycle) for name in port])
    elif found["kind"] == "external write":
        _require_write(found, [at(f"{TOP}.wr_{field}", cycle) for field in ("valid", "addr", "data")])
    else:
        assert at(f"{TOP}.imem_addr", cycle) == found["pc"]


def _require_write(found: dict[str, Any], port: list[Any]) -> None:
    """Compare enable, address and data; where bits are unknown the dump has a string of digits."""
    enable, address, data = port
    assert enable
    assert address == found["address"]
    if found["unknown"] == 0:
        assert data == found["data"]
    else:
        assert isinstance(data, str)
        assert "x" in data.lower()


def _report(folder: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return report
