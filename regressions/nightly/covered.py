"""What a night covered."""

from __future__ import annotations

from regressions.coverage.databases import load_all
from regressions.coverage.summary import summarize
from regressions.nightly.night import Night
from verif.coverage.model import load_model

COVERAGE = "coverage"
"""Below a night's directory: one database for each job that passed, as the command `coverage` reads them."""


def coverage_of(night: Night) -> dict[str, int]:
    """Return how many bins its jobs hit, and of how many; empty if none passed. Raises CoverageError."""
    directory = night.directory / COVERAGE
    if not any(directory.glob("*.json")):
        return {}
    model = load_model()
    summary = summarize(load_all([directory], model), model)
    return {"hit": summary.hit, "bins": summary.bins}
