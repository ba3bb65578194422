"""Fixtures of the bench's tests: one directory a simulation."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from verif.failure.investigation import FAILURES, explanation_lines, run_explained
from verif.run_report import RunReport
from verif.sim_make import REPOSITORY
from verif.simulation import Simulation

Simulate = Callable[..., RunReport]


@pytest.fixture
def run_directory(request: pytest.FixtureRequest, simulation_output: Path) -> Path:
    """Return where this test's simulation leaves its files; kept for debugging when something failed."""
    name = re.sub(r"[^\w.-]+", "-", request.node.nodeid.partition("::")[2])
    module = Path(str(request.node.fspath)).stem
    return simulation_output / module / name


@pytest.fixture
def simulate(simulator: str, seed: int, waves: bool, run_directory: Path) -> Simulate:
    """Return a function that runs a UVM test, `module.Class`, with its parameters.

    A failure leaves its folder in out/failures, and what it says in the test's output; not so with `explain`
    false, for tests of the bench that fail on purpose.
    """

    def run(
        test: str,
        *,
        timeout: float = 300.0,
        rtl: str | None = None,
        scratchpad: str | None = None,
        explain: bool = True,
        **parameters: Any,
    ) -> RunReport:
        dump = REPOSITORY / "out" / "waves" / f"{run_directory.name.strip('-')}.fst" if waves else None
        simulation = Simulation(
            simulator, test, run_directory, parameters, seed, timeout, dump, rtl, scratchpad
        )
        if not explain:
            return simulation.run()
        report = run_explained(simulation, FAILURES)
        print(*explanation_lines(report), sep="\n")
        return report

    return run
