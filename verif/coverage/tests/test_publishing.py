"""From a test's simulations to a database: what is written depends on whether the test passed."""

from __future__ import annotations

from pathlib import Path

import pytest

from verif.coverage.database import BinHits, CoverageDatabase, RunHits
from verif.coverage.database_file import load_database, save_hits
from verif.coverage.model import load_model
from verif.coverage.publishing import TestCoverage
from verif.coverage.run_identity import RunIdentity
from verif.run_report import COVERAGE
from verif.simulation.simulation import Simulation

MODEL = load_model()
HITS = RunHits(2, {MODEL["fused_relu"].first: BinHits(3, "p")})
TEST = "verif/tests/test_x.py::test_y[vectors]"


@pytest.fixture
def coverage(tmp_path: Path) -> TestCoverage:
    return TestCoverage(TEST, tmp_path / "databases")


def simulated(directory: Path, *, covered: bool) -> Simulation:
    """Return a simulation that has ended, with coverage or, because it failed, without."""
    simulation = Simulation("icarus", "x.Y", directory, seed=7)
    simulation.output.mkdir(parents=True)
    (directory / "built-from").write_text("0a1b\n")
    if covered:
        save_hits(simulation.output / COVERAGE, HITS, MODEL)
    return simulation


def identity(test: str = TEST) -> RunIdentity:
    return RunIdentity(test, 7, "icarus", "0a1b")


def published(coverage: TestCoverage) -> CoverageDatabase | None:
    """Return the one database that was written, if any."""
    files = sorted(coverage.directory.glob("*")) if coverage.directory.exists() else []
    assert len(files) <= 1
    return load_database(files[0], MODEL) if files else None


def test_a_passed_test_publishes_all_its_simulations(coverage: TestCoverage, tmp_path: Path) -> None:
    for name in ("one", "two"):
        coverage.simulated(simulated(tmp_path / name, covered=True))
    coverage.publish(passed=True)
    runs = {identity(): HITS, identity(f"{TEST} (2)"): HITS}
    assert published(coverage) == CoverageDatabase(MODEL.fingerprint, runs)


def test_a_failed_test_publishes_that_it_failed(coverage: TestCoverage, tmp_path: Path) -> None:
    coverage.simulated(simulated(tmp_path / "one", covered=True))
    coverage.publish(passed=False)
    failed = {identity(): "its test failed"}
    assert published(coverage) == CoverageDatabase(MODEL.fingerprint, {}, failed)


def test_a_failed_test_replaces_what_it_published_when_it_passed(
    coverage: TestCoverage, tmp_path: Path
) -> None:
    coverage.simulated(simulated(tmp_path / "one", covered=True))
    coverage.publish(passed=True)
    coverage.publish(passed=False)
    found = published(coverage)
    assert found is not None
    assert found.counting == []


def test_a_simulation_that_was_meant_to_fail_is_left_out(coverage: TestCoverage, tmp_path: Path) -> None:
    coverage.simulated(simulated(tmp_path / "one", covered=False))
    coverage.publish(passed=True)
    assert published(coverage) is None


def test_a_simulation_that_never_ran_has_no_build(tmp_path: Path) -> None:
    simulation = Simulation("icarus", "x.Y", tmp_path / "none")
    assert simulation.identity("test") == RunIdentity("test", 1, "icarus", "")
    assert simulation.covered() is None
