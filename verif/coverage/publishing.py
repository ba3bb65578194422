"""From the simulations of one test to a database file, once it is known whether the test passed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from verif.coverage.database import CoverageDatabase, RunHits
from verif.coverage.database_file import save_database
from verif.coverage.model import load_model
from verif.coverage.run_identity import RunIdentity
from verif.simulation.simulation import Simulation


@dataclass
class TestCoverage:
    """What the simulations of one test hit.

    The file is written when the test has ended, because the test may find wrong what the simulation did not.
    A simulation that failed in a test that passed was meant to fail: it is left out.
    """

    __test__ = False
    """Not a test class, whatever its name."""

    test: str
    """The test's name, the same for every simulator."""
    directory: Path
    """Where databases go."""
    _runs: list[tuple[RunIdentity, RunHits | None]] = field(default_factory=list)

    def simulated(self, simulation: Simulation) -> None:
        """Take what a simulation left behind; a test can run several."""
        number = len(self._runs) + 1
        name = self.test if number == 1 else f"{self.test} ({number})"
        self._runs.append((simulation.identity(name), simulation.covered()))

    def publish(self, passed: bool) -> None:
        """Write the database, if there is anything to tell."""
        hits = {run: hits for run, hits in self._runs if hits is not None} if passed else {}
        failed = {} if passed else {run: "its test failed" for run, _ in self._runs}
        if not hits and not failed:
            return
        model = load_model()
        first = self._runs[0][0]
        name = re.sub(r"[^\w.-]+", "-", f"{first.test}-{first.simulator}-{first.seed}").strip("-")
        save_database(
            self.directory / f"{name}.json", CoverageDatabase(model.fingerprint, hits, failed), model
        )
