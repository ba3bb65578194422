"""The environment of simulators and compilers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import conftest
from sequences.golden import GOLDEN_DIRECTORY
from verif.simulation import verilator
from verif.simulation.chip import SIMULATORS, Chip, ChipError
from verif.simulation.simulation import BrokenSimulationError, Simulation, SimulationError
from verif.simulation.tools import LARGEST_SEED, tool_environment

HARMFUL = {
    "COCOTB_TESTCASE": "no_such_test",
    "COCOTB_TEST_FILTER": "no_such_test",
    "COCOTB_USER_COVERAGE": "1",
    "COCOTB_PLUSARGS": "+nothing",
    "COCOTB_LOG_LEVEL": "CRITICAL",
    "COVERAGE": "1",
    "GPI_LOG_LEVEL": "CRITICAL",
    "GPI_EXTRA": "no_such_library.so:entry",
    "PYGPI_USERS": "nothing",
    "GNUMAKEFLAGS": "-n",
    "MAKEFLAGS": "-n",
    "MAKEFILES": "/no/such/file.mk",
    "CXXFLAGS": "-Dint=",
    "CPPFLAGS": "-Dint=",
    "LDFLAGS": "-lnothing",
    "VERILATOR_ROOT": "/no/such/directory",
    "IVERILOG_ICONFIG": "/no/such/file",
    "PYTHONHASHSEED": "7",
    "LC_ALL": "C",
}


def test_environment_keeps_nothing_that_tools_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**HARMFUL, "GA2_OWN": "kept", "HOME": "/home/me"}.items():
        monkeypatch.setenv(name, value)
    environment = tool_environment()
    assert {name for name in HARMFUL if name in environment} == {"LC_ALL"}
    assert environment["LC_ALL"] == "C.UTF-8"
    assert (environment["GA2_OWN"], environment["HOME"]) == ("kept", "/home/me")


def test_simulation_passes_in_a_harmful_environment(
    simulator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in HARMFUL.items():
        monkeypatch.setenv(name, value)
    bundles = {"bundles": [str(GOLDEN_DIRECTORY / "load-store.json")]}
    report = Simulation(simulator, "replay.ReplayTest", tmp_path / "run", bundles).run()
    assert report.passed
    assert "<testcase" in (tmp_path / "run" / "results.xml").read_text()


def test_bench_that_cannot_start_does_not_blame_the_chip(simulator: str, tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match=r"did not start: .*no_such_module") as raised:
        Simulation(simulator, "no_such_module.NoTest", tmp_path / "run").run()
    assert not isinstance(raised.value, BrokenSimulationError)


@pytest.mark.skipif(shutil.which("ccache") is None, reason="ccache is not installed")
@pytest.mark.parametrize(("home", "cache"), [("writable", "ccache"), ("/dev/null/home", "")])
def test_compiler_cache_is_left_out_where_it_cannot_write(
    home: str, cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CCACHE_DIR", "CXX_CACHE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / home))
    assert verilator._compiler_cache(tmp_path) == cache


def test_each_level_of_optimization_has_a_build_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    built = verilator.Verilator(Chip())
    for level, name in (("", "verilator"), ("3", "verilator"), ("0", "verilator-O0")):
        monkeypatch.setenv("CXX_OPTIMIZATION", level)
        assert built.build().directory.name == name
        assert f"OPT_FAST=-O{level or 3}" in built.build().recipe
    monkeypatch.setenv("CXX_OPTIMIZATION", "3 -Dint=")
    with pytest.raises(ChipError, match="CXX_OPTIMIZATION='3 -Dint='"):
        built.build()


def test_options_of_the_test_run_are_those_of_the_simulators() -> None:
    assert (conftest.SIMULATORS, conftest.LARGEST_SEED) == (SIMULATORS, LARGEST_SEED)
