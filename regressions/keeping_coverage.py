"""What a simulation covered, taken out of its directory before that is removed."""

from __future__ import annotations

from pathlib import Path

from verif.code_coverage.counts import keep_counts
from verif.coverage.database import CoverageDatabase
from verif.coverage.database_file import save_database
from verif.coverage.model import CoverageModel
from verif.simulation.simulation import Simulation


def keep_coverage(
    simulation: Simulation, run: str, model: CoverageModel, database: Path, counts: Path
) -> None:
    """Write what a simulation that passed hit to `database`, as `run`; keep its code coverage in `counts`.

    Of what was not collected there is no file. Raises Ga2Error for a damaged one.
    """
    if simulation.code_coverage:
        keep_counts(simulation.code_counts, counts)
    hits = simulation.covered()
    if hits is not None:
        save_database(database, CoverageDatabase(model.fingerprint, {simulation.identity(run): hits}), model)
