"""Fixtures of the bench's tests: one directory a simulation."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import PASSED, RUN_VARIABLE, USERS_OUT
from sequences.whole_file import locked
from verif.code_coverage.publishing import keep_counts
from verif.coverage.publishing import TestCoverage
from verif.failure.investigation import explanation_lines, run_explained
from verif.qualification.mutants import MUTANTS
from verif.qualification.qualify import prepare, simulation_of
from verif.run_report import RunReport
from verif.simulation.simulation import Simulation

Simulate = Callable[..., RunReport]
SharedFailure = Callable[[str], RunReport]

FAILURES = USERS_OUT / "failures"
"""What is wrong with the RTL is for the user, wherever this run keeps its other files."""

WAVES_DIRECTORY = USERS_OUT / "waves"
"""Where `--waves all` leaves a directory a test run, with a file a test."""


@pytest.fixture
def run_directory(request: pytest.FixtureRequest, simulation_output: Path) -> Path:
    """Return where this test's simulation leaves its files; kept for debugging when something failed."""
    name = re.sub(r"[^\w.-]+", "-", request.node.nodeid.partition("::")[2])
    module = Path(str(request.node.fspath)).stem
    return simulation_output / module / name


@pytest.fixture(scope="session")
def shared_failure(simulator: str, tmp_path_factory: pytest.TempPathFactory) -> SharedFailure:
    """Return a function that lets the mutant of a name fail and be explained in full.

    It fails once for all tests and workers, so no test may change its folder.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def failure(name: str) -> RunReport:
        (mutant,) = (mutant for mutant in MUTANTS if mutant.name == name)
        directory = shared / f"{name}-{simulator}"
        directory.mkdir(exist_ok=True)
        kept = directory / "report.json"
        with locked(directory / "lock"):
            if not kept.exists():
                simulation = simulation_of(mutant, simulator, prepare(), directory / "simulation")
                run_explained(simulation, directory / "failures").write(kept)
        return RunReport.read(kept)

    return failure


@pytest.fixture(scope="session")
def relu_failure(shared_failure: SharedFailure) -> RunReport:
    """Return the report of an RQ that does not clamp at 0, in a program that the compiler made."""
    return shared_failure("relu_ignored")


@pytest.fixture(scope="session")
def hang_failure(shared_failure: SharedFailure) -> RunReport:
    """Return the report of an SM that never ends."""
    return shared_failure("division_never_done")


@pytest.fixture
def coverage(request: pytest.FixtureRequest, simulator: str) -> Iterator[TestCoverage | None]:
    """Return what collects the coverage of this test's simulations, or None if nobody asked for any."""
    if not request.config.getoption("--coverage"):
        yield None
        return
    collected = TestCoverage(_name_in_every_simulator(request.node, simulator), USERS_OUT / "coverage")
    yield collected
    collected.publish(passed=request.node.stash.get(PASSED, False))


def _name_in_every_simulator(item: pytest.Item, simulator: str) -> str:
    """Return a test's node id without the simulator among its parameters."""
    name, bracket, parameters = item.nodeid.partition("[")
    if not bracket:
        return name
    others = parameters.removesuffix("]").split("-")
    others.remove(simulator)
    return f"{name}[{'-'.join(others)}]" if others else name


@pytest.fixture
def simulate(
    request: pytest.FixtureRequest,
    simulator: str,
    seed: int,
    waves: str,
    run_directory: Path,
    coverage: TestCoverage | None,
) -> Simulate:
    """Return a function that runs a UVM test, `module.Class`, with its parameters.

    A failure leaves its folder in out/failures, and what it says in the test's output; not so with `explain`
    false, for tests of the bench that fail on purpose. Coverage is collected on the RTL that is under test,
    never on a broken one that a test brings along.
    """

    counting = request.config.getoption("--code-coverage") and simulator == "verilator"

    def run(
        test: str,
        *,
        timeout: float = 300.0,
        rtl: str | None = None,
        scratchpad: str | None = None,
        explain: bool = True,
        **parameters: Any,
    ) -> RunReport:
        name = f"{run_directory.parent.name}-{run_directory.name.strip('-')}.fst"
        dump = WAVES_DIRECTORY / os.environ[RUN_VARIABLE] / name if waves == "all" else None
        collecting = coverage is not None and rtl is None
        simulation = Simulation(
            simulator,
            test,
            run_directory,
            parameters,
            seed,
            timeout,
            dump,
            rtl=rtl,
            scratchpad=scratchpad,
            coverage=collecting,
            code_coverage=counting and rtl is None,
        )
        try:
            if not explain:
                return simulation.run()
            report = run_explained(simulation, FAILURES, window=waves != "none")
            if report.passed and simulation.code_coverage:
                keep_counts(simulation, request.node.nodeid, USERS_OUT / "code-coverage")
        finally:
            if coverage is not None and rtl is None:
                coverage.simulated(simulation)
        print(*explanation_lines(report), sep="\n")
        return report

    return run
