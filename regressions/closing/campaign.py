"""Runs jobs in rounds until nothing is missing, each round aimed at what the ones before have left."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from refmodel.errors import Ga2Error
from regressions.closing.aims import Aim, aim_of
from regressions.closing.base import base_jobs
from regressions.closing.job import Job
from regressions.closing.progress import ClosingProgress
from regressions.coverage.summary import Summary, summarize
from regressions.side_by_side import run_side_by_side
from verif.code_coverage.counts import merge_counts
from verif.code_coverage.exclusions import load_exclusions
from verif.code_coverage.score import CodeScore, score
from verif.coverage.database import CoverageDatabase, merge
from verif.coverage.database_file import load_database, save_database
from verif.coverage.model import CoverageModel
from verif.failure.investigation import FAILURES, explanation_lines, run_explained
from verif.sim_make import REPOSITORY
from verif.simulation import Simulation

MOST_ROUNDS = 6
"""Rounds that are aimed; what is missing after them has resisted."""


class CampaignError(Ga2Error):
    """A simulation of the campaign failed: what it found is to be looked at before coverage is."""


@dataclass
class Campaign:
    """The state of a closure: everything that has run, in a directory that it can go on from."""

    seed: int
    directory: Path
    model: CoverageModel
    workers: int
    progress: ClosingProgress
    jobs: list[Job] = field(default_factory=list)
    """What has run, in order."""

    def rounds(self) -> Iterator[Summary]:
        """Run one round after another and yield what is covered after each, until it is all or they end.

        Raises CampaignError when a simulation fails, CoverageError when the directory is damaged.
        """
        self._run(base_jobs(self.seed))
        yield self.summary()
        for number in range(1, MOST_ROUNDS + 1):
            jobs = list(self._aimed(number))
            if not jobs:
                return
            self._run(jobs)
            yield self.summary()

    def summary(self) -> Summary:
        """Return what all jobs together have covered."""
        databases = [load_database(self._database(job), self.model) for job in self.jobs]
        return summarize(merge(databases), self.model)

    def code(self) -> CodeScore:
        """Return the code coverage of all jobs together."""
        counted = [self._counts(job) for job in self.jobs if job.simulator == "verilator"]
        return score(merge_counts(counted), load_exclusions(), REPOSITORY)

    def _aimed(self, number: int) -> Iterator[Job]:
        """Yield the jobs of a round."""
        missing: dict[Aim, set[int]] = {}
        for each in self.summary().items:
            if not each.met:
                aim = aim_of(each.item.family)
                bins = each.item.first + np.flatnonzero(each.missing)
                missing.setdefault(aim, set()).update(bins.tolist())
        for aim, wanted in missing.items():
            for position, job in enumerate(aim(self.model, frozenset(wanted), self.seed + number)):
                name = f"round-{number}-{aim.__name__.removeprefix('aim_at_')}-{position}"
                yield replace(job, name=name)

    def _run(self, jobs: Iterable[Job]) -> None:
        new = list(jobs)
        self.progress.begun(len(new))
        run_side_by_side(self._run_one, new, self.workers)
        self.jobs += new

    def _run_one(self, job: Job) -> None:
        if not self._has_run(job):
            self._simulate(job)
        self.progress.done()

    def _has_run(self, job: Job) -> bool:
        try:
            return bool(json.loads(self._request(job).read_text(encoding="utf-8")) == _as_json(job))
        except (OSError, ValueError):
            return False

    def _simulate(self, job: Job) -> None:
        directory = self.directory / "simulations" / job.name
        counted = job.simulator == "verilator"
        simulation = Simulation(
            job.simulator,
            job.test,
            directory,
            job.parameters,
            self.seed,
            coverage=True,
            code_coverage=counted,
        )
        report = run_explained(simulation, FAILURES)
        if not report.passed:
            first = report.error or str(next(iter(report.mismatches), "nothing was compared"))
            raise CampaignError("\n".join([f"{job.name} failed: {first}", *explanation_lines(report)]))
        hits = simulation.covered()
        assert hits is not None, "coverage was asked for, and the run passed"
        database = CoverageDatabase(self.model.fingerprint, {simulation.identity(job.name): hits})
        save_database(self._database(job), database, self.model)
        if counted:
            shutil.move(simulation.code_counts, self._counts(job))
        shutil.rmtree(directory)
        self.finished(job)

    def finished(self, job: Job) -> None:
        """Note that everything of a job is there."""
        self._request(job).write_text(json.dumps(_as_json(job)), encoding="utf-8")

    def _database(self, job: Job) -> Path:
        return self.directory / f"{job.name}.json"

    def _counts(self, job: Job) -> Path:
        return self.directory / f"{job.name}.dat"

    def _request(self, job: Job) -> Path:
        """The last file that a job leaves: where it is, the job is done."""
        return self.directory / f"{job.name}.job"


def _as_json(job: Job) -> dict[str, object]:
    return {"simulator": job.simulator, "test": job.test, "parameters": dict(job.parameters)}
