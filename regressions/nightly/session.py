"""One call of `nightly`: builds what is needed, runs what is missing, tells what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path

from rich.console import Console

from refmodel.errors import Ga2Error
from regressions.exit_status import ExitStatus
from regressions.failure_lines import shown_path
from regressions.history.database import HistoryError
from regressions.history.expectations import Expectations, held_against_history
from regressions.history.recording import record_nights
from regressions.nightly.attempt import Simulate
from regressions.nightly.cost import CostMeter
from regressions.nightly.covered import coverage_of
from regressions.nightly.display import NightDisplay
from regressions.nightly.engine import Engine
from regressions.nightly.failed_seeds import remember_failed
from regressions.nightly.job import NightJob
from regressions.nightly.local_engine import LocalEngine
from regressions.nightly.night import Night
from regressions.nightly.outcome import Outcome, outcome_of
from regressions.nightly.report import write_reports
from regressions.nightly.result import JobResult
from regressions.nightly.running import jobs_left, look_closer, run_failed_again, run_jobs_left
from regressions.nightly.simulating import counts_code
from regressions.nightly.simulating import simulate as simulate_on_rtl
from regressions.nightly.text import outcome_lines
from regressions.testplan.plan import load_plan
from verif.coverage.errors import CoverageError
from verif.sim_make import build


def build_for(jobs: Sequence[NightJob], console: Console) -> None:
    """Build whatever the jobs run, so that none of them waits for it. Raises BuildError."""
    kinds = {(job.simulator, counts_code(job)) for job in jobs if not job.skip}
    for simulator, code_coverage in sorted(kinds):
        with console.status(f"building for {simulator}"):
            build(simulator, code_coverage=code_coverage)


def run_session(
    night: Night,
    workers: int,
    failed_seeds: Path,
    history: Path,
    console: Console,
    simulate: Simulate = simulate_on_rtl,
    make_engine: Callable[[int], Engine] = LocalEngine,
    *,
    elsewhere: bool = False,
) -> ExitStatus:
    """Run what is missing of a night, write its reports, and return its verdict.

    `elsewhere`: are the engine's workers on other machines? Whatever stops it (Ctrl-C, a full disk), what has
    finished is reported first. Raises Ga2Error when there is nowhere to write, or no worker any more.
    """
    with night.held():
        left = len(jobs_left(night))
        meter = CostMeter(workers, elsewhere=elsewhere)
        stopped: Ga2Error | KeyboardInterrupt | None = None
        try:
            _run(night, workers, left, console, simulate, make_engine, meter)
        except (Ga2Error, KeyboardInterrupt) as error:
            stopped = error
        cost = meter.read()
        expectations = _expectations(night, history)
        outcome = replace(
            outcome_of(night, load_plan()), drifts=expectations.drifts, warnings=expectations.slower
        )
        for line in outcome_lines(night, outcome, cost):
            console.print(line, markup=False, soft_wrap=True)
        problems = list(outcome.problems())
        verdict = f"[bold red]NOT good[/]: {'; '.join(problems)}" if problems else "[green]good[/]"
        console.print(verdict, soft_wrap=True)
        if isinstance(stopped, Ga2Error):
            raise stopped
        try:
            coverage = coverage_of(night)
        except CoverageError as error:  # which must not keep the rest from being reported
            coverage, stopped = {}, stopped or error
        write_reports(night, outcome, cost, coverage)
        _remember(outcome, failed_seeds, console)
        record_nights(history, [night.directory])
        if stopped is not None:
            raise stopped
    return ExitStatus.MISMATCH if problems else ExitStatus.GOOD


def _run(
    night: Night,
    workers: int,
    left: int,
    console: Console,
    simulate: Simulate,
    make_engine: Callable[[int], Engine],
    meter: CostMeter,
) -> None:
    def take(result: JobResult) -> None:
        meter.take(result.cost)
        display.take(result)

    done = len(night.plan.jobs) - left
    with (
        closing(make_engine(workers)) as engine,
        NightDisplay(console, left, done, engine.standing) as display,
    ):
        run_jobs_left(night, engine, simulate, take)
        for result in chain(run_failed_again(night, engine, simulate), look_closer(night, engine, simulate)):
            meter.take(result.cost)


def _expectations(night: Night, history: Path) -> Expectations:
    """Hold a night against the others; that this cannot be done must not keep it from being reported."""
    try:
        return held_against_history(history, night)
    except HistoryError as error:
        return Expectations(drifts=(f"cycle counts could not be compared: {error}",))


def _remember(outcome: Outcome, path: Path, console: Console) -> None:
    """Keep the jobs that failed for other nights."""
    failed = [result for bucket in outcome.buckets for result in bucket.results]
    failed += [result for each in outcome.sweep.dependent for result in each.results]
    jobs = [result.job for result in failed if result.says_something]
    new = remember_failed(path, jobs)
    if new:
        console.print(
            f"{new} failed seeds are remembered in {shown_path(path)}", markup=False, soft_wrap=True
        )
