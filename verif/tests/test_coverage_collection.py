"""Coverage of real simulations: only when asked for, only of runs that pass, the same on both simulators."""

from __future__ import annotations

from pathlib import Path

import pytest

from sequences.golden import GOLDEN_DIRECTORY
from verif.simulation.chip import SIMULATORS
from verif.simulation.simulation import Simulation

BUNDLES = [str(GOLDEN_DIRECTORY / f"{name}.json") for name in ("softmax", "vadd-argmax", "fault-after-work")]


def replay(simulator: str, directory: Path, *, coverage: bool) -> Simulation:
    simulation = Simulation(
        simulator, "replay.ReplayTest", directory, {"bundles": BUNDLES, "state": False}, coverage=coverage
    )
    assert simulation.run().passed
    return simulation


def test_nothing_is_collected_unless_asked_for(simulator: str, run_directory: Path) -> None:
    assert replay(simulator, run_directory, coverage=False).covered() is None


def test_both_simulators_hit_the_same(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if request.config.getoption("--sim"):
        pytest.skip("one simulator alone was asked for")
    found = [replay(simulator, tmp_path / simulator, coverage=True).covered() for simulator in SIMULATORS]
    assert found[0] is not None
    assert found[0] == found[1]
    assert found[0].programs == len(BUNDLES)
    assert {hits.program for hits in found[0].bins.values()} == set(BUNDLES)


def test_the_variable_of_make_test_does_not_reach_cocotb(
    simulator: str, run_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COVERAGE", "1")
    assert replay(simulator, run_directory, coverage=True).covered() is not None


def test_a_run_with_a_mismatch_leaves_no_coverage(simulator: str, run_directory: Path) -> None:
    simulation = Simulation(
        simulator,
        "broken_bench.TamperedTest",
        run_directory,
        {"tamperings": ["wrong_counter"]},
        coverage=True,
    )
    report = simulation.run()
    assert report.mismatches
    assert simulation.covered() is None
