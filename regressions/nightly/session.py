"""One call of `nightly`: builds what is needed, runs what is missing, tells what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import IO, cast

from rich.console import Console
from rich.markup import escape

from refmodel.errors import Ga2Error
from regressions.exit_status import ExitStatus
from regressions.failure_lines import shown_path
from regressions.history.database import HistoryError
from regressions.history.expectations import Expectations, held_against_history
from regressions.history.recording import record_nights
from regressions.nightly.attempt import RESULTS, Simulate
from regressions.nightly.calls import Calls, read_calls, write_calls
from regressions.nightly.cost import CostMeter, NightCost
from regressions.nightly.covered import coverage_of
from regressions.nightly.display import NightDisplay
from regressions.nightly.engine import Engine
from regressions.nightly.failed_seeds import remember_failed
from regressions.nightly.interrupts import Interrupts
from regressions.nightly.job import NightJob
from regressions.nightly.local_engine import LocalEngine
from regressions.nightly.night import PLAN, Night, NightError
from regressions.nightly.outcome import Outcome, outcome_of
from regressions.nightly.report import JUNIT, SUMMARY, verdict_of, write_reports
from regressions.nightly.result import JobResult
from regressions.nightly.running import look_closer, run_failed_again, run_jobs_left
from regressions.nightly.simulating import counts_code
from regressions.nightly.simulating import simulate as simulate_on_rtl
from regressions.nightly.steady_output import SteadyOutput
from regressions.nightly.text import outcome_lines
from regressions.nightly.verdict import Verdict, coverage_words
from regressions.testplan.plan import load_plan
from sequences.whole_file import discard_old
from verif.coverage.errors import CoverageError
from verif.qualification.mutated_rtl import MIRRORS
from verif.qualification.qualify import prepare_whole
from verif.simulation.sim_make import build
from verif.sources import SourcesError


def build_for(jobs: Sequence[NightJob], console: Console) -> None:
    """Build whatever the jobs run, so that none of them waits for it. Raises BuildError."""
    to_run = [job for job in jobs if not job.skip]
    kinds = {(job.simulator, counts_code(job)) for job in to_run if job.build != "mutants"}
    for simulator, code_coverage in sorted(kinds):
        with console.status(f"building for {simulator}"):
            build(simulator, code_coverage=code_coverage)
    if any(job.build == "mutants" for job in to_run):
        with console.status("building all mutants for verilator"):
            build("verilator", prepare_whole(), MIRRORS)


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
    finished is reported first, and nothing but SIGKILL cuts that. An output that takes no more (a closed
    pipe) stops nothing. Raises Ga2Error when there is nowhere to write, or no worker any more.
    """
    with night.held(), Interrupts() as interrupts:
        before = read_calls(night.directory).cost
        discard_old(night.directory / SUMMARY, night.directory / JUNIT)
        output = SteadyOutput(console.file)
        console.file = cast(IO[str], output)
        meter = CostMeter(workers, elsewhere=elsewhere)
        stopped: Exception | KeyboardInterrupt | None = None
        changed = ""
        problems_on_the_way: list[str] = []
        try:
            _run(
                night, console, simulate, lambda: make_engine(workers), meter, interrupts, problems_on_the_way
            )
        except SourcesError as error:
            changed = str(error)
        except (Exception, KeyboardInterrupt) as error:
            stopped = error
        cost = before + meter.read()
        _require_results(night)
        expectations = _expectations(night, history)
        outcome = replace(
            outcome_of(night, load_plan()),
            changed=changed,
            drifts=expectations.drifts,
            warnings=(*problems_on_the_way, *expectations.slower),
        )
        covered: list[str] = []
        told: list[str] = []
        unreported = _first_problem(
            lambda: _write(night, outcome, cost, covered.append),
            lambda: _remember(outcome, failed_seeds, told.append),
            lambda: record_nights(history, [night.directory]) if outcome.statuses.total() else None,
        )
        unreported = (
            _first_problem(
                lambda: write_calls(night.directory, Calls(cost, finished=not (stopped or unreported)))
            )
            or unreported
        )
        problems = list(outcome.problems())
        verdict = verdict_of(night, problems)
        _tell(console, outcome_lines(night, outcome, cost), verdict, problems, [*covered, *told])
        problem = stopped or unreported
        if problem is not None:
            raise problem
        if output.problem is not None:
            where = shown_path(night.directory / SUMMARY)
            raise Ga2Error(f"standard output: {output.problem.strerror}; the whole night is in {where}")
    return ExitStatus.MISMATCH if problems else ExitStatus.GOOD


def _require_results(night: Night) -> None:
    """Refuse to report a run whose files were removed meanwhile: it would be one without any result."""
    for name in (PLAN, RESULTS):
        if not (night.directory / name).exists():
            raise NightError(
                f"{night.directory / name}: was removed during the run; its results are lost and not "
                "recorded; begin another run"
            )


def _run(
    night: Night,
    console: Console,
    simulate: Simulate,
    make_engine: Callable[[], Engine],
    meter: CostMeter,
    interrupts: Interrupts,
    problems: list[str],
) -> None:
    """Run what is missing, then what failed once more; what becomes of no result is added to `problems`."""

    def take(result: JobResult) -> None:
        meter.take(result.cost)
        display.take(result)

    before = Counter(result.status for _, result in night.results() if result and result.says_something)
    with (
        closing(make_engine()) as engine,
        NightDisplay(console, len(night.plan.jobs), before, engine.standing) as display,
        interrupts.allowed(),
    ):
        run_jobs_left(night, engine, simulate, take)
        display.say_what("what failed runs again")
        for result in run_failed_again(night, engine, simulate, problems.append):
            meter.take(result.cost)
        display.say_what("the first failure of each bucket is shrunk")
        for result in look_closer(night, engine, simulate, problems.append):
            meter.take(result.cost)


def _tell(
    console: Console,
    lines: Iterable[str],
    verdict: Verdict,
    problems: Sequence[str],
    afterwards: Iterable[str],
) -> None:
    """Show what came of a night, with its verdict."""
    for line in lines:
        console.print(line, soft_wrap=True)
    why = escape(": " + "; ".join(problems) if problems else "")  # paths in it may have brackets
    console.print(f"[{verdict.colour}]{escape(str(verdict))}[/]{why}", markup=True, soft_wrap=True)
    for line in afterwards:
        console.print(line, soft_wrap=True)


def _first_problem(*steps: Callable[[], object]) -> Ga2Error | None:
    """Take each step, whatever becomes of the others; return what the first of them failed with."""
    problems: list[Ga2Error] = []
    for step in steps:
        try:
            step()
        except Ga2Error as error:
            problems.append(error)
    return next(iter(problems), None)


def _write(night: Night, outcome: Outcome, cost: NightCost, tell: Callable[[str], None]) -> None:
    """Write the reports, without coverage if that is damaged, and say how much there is.

    Raises Ga2Error when they cannot be written, and for damaged coverage too.
    """
    problem: CoverageError | None = None
    coverage: dict[str, int] = {}
    try:
        coverage = coverage_of(night)
    except CoverageError as error:
        problem = error
    if coverage:
        tell(coverage_words(coverage["hit"], coverage["bins"]))
    write_reports(night, outcome, cost, coverage)
    if problem is not None:
        raise problem


def _expectations(night: Night, history: Path) -> Expectations:
    """Hold a night against the others; that this cannot be done must not keep it from being reported."""
    try:
        return held_against_history(history, night)
    except HistoryError as error:
        return Expectations(drifts=(f"cycle counts could not be compared: {error}",))


def _remember(outcome: Outcome, path: Path, tell: Callable[[str], None]) -> None:
    """Keep the jobs for other nights in which the chip failed. Raises Ga2Error when it cannot be written."""
    failed = [result for bucket in outcome.buckets for result in bucket.results]
    failed += [result for each in outcome.sweep.dependent for result in each.results]
    jobs = [result.job for result in failed if result.says_something and not result.is_bench_error]
    new = remember_failed(path, jobs)
    if new:
        tell(f"{new} failed seeds are remembered in {shown_path(path)}")
