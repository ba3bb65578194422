"""A campaign whose simulations take no time: each job hits what it is told to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regressions.closing import campaign as campaign_module
from regressions.closing.aim import Attempt
from regressions.closing.campaign import Campaign
from regressions.closing.job import Job
from regressions.closing.job_runner import JobRunner
from regressions.closing.progress import ClosingProgress
from verif.coverage.database import BinHits, CoverageDatabase, RunHits
from verif.coverage.database_file import save_database
from verif.coverage.model import load_model
from verif.coverage.run_identity import RunIdentity

MODEL = load_model()
ALL = frozenset(
    item.first + index
    for item in MODEL.items
    for index, possible in enumerate(item.possible.ravel())
    if possible
)


class FakeChip:
    """Stands for all simulations: each job hits what it is told to, and leaves a database."""

    def __init__(self, directory: Path, hits: dict[str, frozenset[int]]) -> None:
        self.directory, self.hits = directory, hits
        self.simulated: list[str] = []
        self.build = "b"

    def simulate(self, runner: JobRunner, job: Job) -> None:
        self.simulated.append(job.name)
        hits = RunHits(1, {number: BinHits(1, "p") for number in self.hits[job.name]})
        identity = RunIdentity(job.name, 1, job.simulator, self.build)
        database = CoverageDatabase(MODEL.fingerprint, {identity: hits})
        save_database(runner.database(job), database, MODEL)
        (runner.directory / f"{job.name}.dat").touch()  # code coverage of nothing
        runner.note_finished(job, cycles=100, seconds=1.0)


def closing(
    directory: Path, monkeypatch: pytest.MonkeyPatch, hits: dict[str, frozenset[int]]
) -> tuple[Campaign, FakeChip]:
    """Return a campaign on such a chip, whose base is a single job `base`."""
    chip = FakeChip(directory, hits)
    monkeypatch.setattr(JobRunner, "_simulate", lambda runner, job: chip.simulate(runner, job))
    monkeypatch.setattr(campaign_module, "base_jobs", lambda _: [Job("base", "verilator", "t.T", {})])
    return Campaign(JobRunner(1, directory, MODEL, 1, ClosingProgress(Console(quiet=True)))), chip


def aim_at_x(*_: Any) -> Attempt:
    return Attempt([Job("", "verilator", "t.T", {})], 1, frozenset())


def run(campaign: Campaign) -> list[int]:
    with campaign.runner.progress:
        return [summary.hit for summary in campaign.rounds()]
