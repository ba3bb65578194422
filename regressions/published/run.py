"""Runs the published table on several simulators at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from regressions.published.table import DecodingRow, Row, decoding_rows, program_rows
from regressions.rtl import RtlFailure, run_test
from regressions.side_by_side import run_side_by_side
from sequences.program_record import ProgramRecord
from verif.failure.investigation import explanation_lines
from verif.loop_outcome import LoopOutcome
from verif.sources import unchanged_sources

OnProgress = Callable[[int], None]
"""Called now and then with the cycles simulated so far, over all simulators."""


@dataclass
class TableResult:
    """What one simulator made of the table."""

    simulator: str
    decodings: list[Row] = field(default_factory=list)
    programs: list[Row] = field(default_factory=list)
    comparisons: int = 0
    mismatches: list[str] = field(default_factory=list)
    """What the bench found wrong that belongs to no row: a lost result, say."""
    explanations: list[list[str]] = field(default_factory=list)
    """For each simulation that failed: the first divergence, and how to see it again."""

    @property
    def rows(self) -> list[Row]:
        """All rows, decodings first."""
        return self.decodings + self.programs

    @property
    def good(self) -> bool:
        """Whether every row is good, nothing else is wrong, and something was compared at all."""
        return self.comparisons > 0 and not self.mismatches and all(row.good for row in self.rows)


@dataclass(frozen=True)
class _Job:
    """One simulation: rows that share their target and its plain decoding."""

    simulator: str
    rows: tuple[DecodingRow, ...]
    directory: Path

    @property
    def progress_file(self) -> Path:
        """Where the simulation tells the cycles of each program that has ended."""
        return self.directory.with_suffix(".progress")


@dataclass(frozen=True)
class _JobOutcome:
    rows: list[Row]
    records: list[ProgramRecord]
    comparisons: int
    mismatches: list[str]
    explanation: list[str]


def total_cycles(simulators: Sequence[str]) -> int:
    """Return the published cycles of all decodings on all simulators: what progress counts up to."""
    return len(simulators) * sum(row.published["cycles"] for row in decoding_rows())


def run_table(
    simulators: Sequence[str],
    directory: Path,
    workers: int,
    sources: Mapping[str, str],
    on_progress: OnProgress,
) -> list[TableResult]:
    """Run every row on every simulator, `workers` simulations at a time, and judge what was found.

    Simulations run below `directory`, which must be this call's own: it reads their reports and their
    progress there. Nothing that it started outlives it.

    A chip that hangs or breaks its simulation fails the rows that it kept from running; any other failure to
    run raises Ga2Error, and SourcesError if `sources` change meanwhile.
    """

    def run(job: _Job) -> _JobOutcome:
        with unchanged_sources(sources):
            return _run(job)

    jobs = _jobs(simulators, directory)
    outcomes = run_side_by_side(run, jobs, workers, lambda: on_progress(_cycles_so_far(jobs)))
    results = []
    for simulator in simulators:
        result = TableResult(simulator)
        records: list[ProgramRecord] = []
        for job, outcome in zip(jobs, outcomes, strict=True):
            if job.simulator == simulator:
                result.decodings += outcome.rows
                result.comparisons += outcome.comparisons
                result.mismatches += outcome.mismatches
                if outcome.explanation:
                    result.explanations.append(outcome.explanation)
                records += outcome.records
        result.programs = program_rows(records)
        results.append(result)
    return results


def _jobs(simulators: Sequence[str], directory: Path) -> list[_Job]:
    """Split the rows so that every worker has something to do until the end; the longest jobs start first.

    Rows of one target share their plain decoding, so Icarus, which takes nearly all of the time, gets a job
    for each target. Verilator needs less time for a target than for starting its process.
    """
    rows = decoding_rows()
    jobs = []
    for simulator in simulators:
        groups: dict[tuple[str, ...], list[DecodingRow]] = {}
        for row in rows:
            request = row.request
            key: tuple[str, ...] = (request.scales,)
            if simulator == "icarus":
                key = (request.scales, request.target)
            groups.setdefault(key, []).append(row)
        for key, group in groups.items():
            jobs.append(_Job(simulator, tuple(group), directory / "-".join([simulator, *key])))
    return jobs


def _run(job: _Job) -> _JobOutcome:
    job.progress_file.unlink(missing_ok=True)
    parameters = {
        "decodings": [{"request": asdict(row.request), "speculative": not row.plain} for row in job.rows],
        "progress": str(job.progress_file),
    }
    began = time.perf_counter()
    try:
        report = run_test(job.simulator, "decode.DecodeTest", parameters, job.directory)
    except RtlFailure as failure:
        seconds = time.perf_counter() - began
        return _JobOutcome([row.failed(str(failure), seconds) for row in job.rows], [], 0, [], [])
    rows: list[Row] = []
    records: list[ProgramRecord] = []
    in_rows: set[str] = set()
    for row, outcomes in zip(job.rows, report.payload["decodings"], strict=True):
        plain = LoopOutcome.from_json(outcomes["plain"])
        found = plain if row.plain else LoopOutcome.from_json(outcomes["speculative"])
        rows.append(row.judge(found, plain))
        in_rows.update(plain.mismatches, found.mismatches)
        records += found.records
    others = [text for text in map(str, report.mismatches) if text not in in_rows]
    return _JobOutcome(rows, records, report.comparisons, others, explanation_lines(report))


def _cycles_so_far(jobs: Sequence[_Job]) -> int:
    return sum(_cycles(job.progress_file) for job in jobs)


def _cycles(progress_file: Path) -> int:
    """Return the sum of the numbers in a file that another process appends to, line by line."""
    try:
        return sum(int(line) for line in progress_file.read_text().splitlines())
    except FileNotFoundError:
        return 0
