"""Runs jobs side by side and keeps what each of them covered, in a directory that it can go on from."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from regressions.closing.finished_job import FinishedJob
from regressions.closing.job import Job
from regressions.closing.progress import ClosingProgress
from regressions.closing.state import BEGIN_ANEW, StateError
from regressions.coverage.summary import Summary, summarize
from regressions.keeping_coverage import keep_coverage
from regressions.rtl import RtlFailure, discarded_if_interrupted, run_simulation
from regressions.side_by_side import run_side_by_side
from verif.code_coverage.counts import Counts, merge_counts
from verif.coverage.database import CoverageDatabase, RunHits, merge
from verif.coverage.database_file import load_database
from verif.coverage.model import CoverageModel
from verif.failure.investigation import explanation_lines
from verif.simulation.simulation import Simulation
from verif.sources import source_digests, unchanged_sources


@dataclass
class JobRunner:
    """Everything that has run, and where it lies."""

    seed: int
    """Of the simulators; what is sent depends on the parameters of the jobs alone."""
    directory: Path
    model: CoverageModel
    workers: int
    progress: ClosingProgress
    code_coverage: bool = True
    """Is it collected as well, from Verilator?"""
    sources: Mapping[str, str] = field(default_factory=source_digests)
    """Digests of the sources that all jobs must have run with."""
    jobs: list[Job] = field(default_factory=list)
    """What has run, in order."""
    _finished: dict[str, FinishedJob] = field(default_factory=dict)
    _hits: dict[str, CoverageDatabase] = field(default_factory=dict)
    _before: float = 0.0
    """Seconds that those jobs had taken that were there already."""
    _began: float = field(default_factory=time.monotonic)

    def run(self, jobs: Iterable[Job]) -> None:
        """Run jobs, unless they were run before.

        Raises RtlFailure when one finds an error of the chip: that is to be looked at before coverage is.
        Raises SourcesError when sources changed meanwhile.
        Raises CoverageError or StateError when the directory is damaged.
        """
        new = list(jobs)
        kept = [record for job in new if (record := self._record_of(job)) is not None]
        self._before = max([self._before, *(record.ended for record in kept)])
        self.progress.begun(len(new))
        with discarded_if_interrupted(self._simulations):
            run_side_by_side(self._run_one, new, self.workers)
        self.jobs += new
        self._require_one_build()

    def summary(self) -> Summary:
        """Return what all jobs together have covered."""
        return summarize(merge(self._hits[job.name] for job in self.jobs), self.model)

    def hits(self, job: Job) -> RunHits:
        """Return what one job has hit."""
        (hits,) = self._hits[job.name].passed.values()
        return hits

    def finished(self, job: Job) -> FinishedJob:
        """Return what one job took."""
        return self._finished[job.name]

    def code_counts(self) -> Counts:
        """Return the code coverage of all jobs together. Raises CodeCoverageError for a damaged file."""
        return merge_counts([self._counts(job) for job in self.jobs if self._counts_code(job)])

    def note_finished(self, job: Job, cycles: int, seconds: float) -> None:
        """Note that everything of a job is there."""
        ended = self._before + time.monotonic() - self._began
        FinishedJob.of(job, cycles, seconds, ended).write(self._record(job))

    def _require_one_build(self) -> None:
        """Raise StateError when the RTL or the harness changed between simulations that are there."""
        builds: dict[str, set[str]] = {}
        for job in self.jobs:
            for identity in self._hits[job.name].passed:
                builds.setdefault(identity.simulator, set()).add(identity.build)
        for simulator, found in builds.items():
            if len(found) > 1:
                raise StateError(
                    f"{self.directory}: holds simulations of {len(found)} different builds for {simulator}; "
                    f"{BEGIN_ANEW}"
                )

    def _run_one(self, job: Job) -> None:
        if self._record_of(job) is None:
            self._simulate(job)
        record = self._record_of(job)
        assert record is not None, "a simulation that raises nothing leaves one"
        self._finished[job.name] = record
        self._hits[job.name] = load_database(self.database(job), self.model)
        self.progress.done()

    def _record_of(self, job: Job) -> FinishedJob | None:
        """Return the record of a job that has run, if everything of it is there."""
        record = FinishedJob.read(self._record(job))
        complete = self.database(job).exists() and (not self._counts_code(job) or self._counts(job).exists())
        return record if record is not None and record.is_of(job) and complete else None

    def _counts_code(self, job: Job) -> bool:
        return self.code_coverage and job.simulator == "verilator"

    def _simulate(self, job: Job) -> None:
        directory = self._simulations / job.name
        simulation = Simulation(
            job.simulator,
            job.test,
            directory,
            job.parameters,
            self.seed,
            coverage=True,
            code_coverage=self._counts_code(job),
        )
        began = time.monotonic()
        with unchanged_sources(self.sources):
            report = run_simulation(simulation)
        if report.mismatches:
            lines = [f"{job.name} failed: {report.mismatches[0]}", *explanation_lines(report)]
            raise RtlFailure("\n".join(lines))
        keep_coverage(simulation, job.name, self.model, self.database(job), self._counts(job))
        self.note_finished(job, report.cycles, time.monotonic() - began)
        shutil.rmtree(directory)

    @property
    def _simulations(self) -> Path:
        """Where simulations run; one that has passed leaves nothing there."""
        return self.directory / "simulations"

    def database(self, job: Job) -> Path:
        """Return the file of what a job has covered."""
        return self.directory / f"{job.name}.json"

    def _counts(self, job: Job) -> Path:
        return self.directory / f"{job.name}.dat"

    def _record(self, job: Job) -> Path:
        """The last file that a job leaves: where it is, the job is done."""
        return self.directory / f"{job.name}.job"
