"""`close`: from nothing to every coverage goal."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from refmodel.errors import Ga2Error
from regressions.closing.campaign import Campaign
from regressions.closing.growth import by_round
from regressions.closing.job_list import CLOSING_LIST, load_jobs, save_jobs
from regressions.closing.job_runner import JobRunner
from regressions.closing.progress import ClosingProgress
from regressions.closing.provenance import provenance
from regressions.closing.state import begin, held
from regressions.closing.state import resume as go_on
from regressions.coverage.summary import Summary
from regressions.coverage.text_report import holes_report
from regressions.coverage.text_report import report as coverage_report
from regressions.exit_status import ExitStatus
from regressions.failure_lines import shown_path
from regressions.options import seed_option
from regressions.terminal import Terminal
from regressions.testplan.plan import load_plan
from verif.code_coverage.exclusions import load_exclusions
from verif.code_coverage.score import score
from verif.coverage.model import load_model
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.sim_make import OUT, build, not_compared
from verif.sources import source_digests

STATE = OUT / "closure"
LIST_STATE = OUT / "closure-list"

WORKERS = os.cpu_count() or 1


def close(
    seed: Annotated[int, seed_option("Seed of all stimulus.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where an interrupted one ended.")] = False,
    job_list: Annotated[
        Path | None,
        typer.Option("--list", help="Run just the simulations of a list instead.", metavar="FILE"),
    ] = None,
    write_list: Annotated[
        bool, typer.Option("--write-list", help=f"Make {CLOSING_LIST.relative_to(REPOSITORY)} anew.")
    ] = False,
) -> ExitStatus:
    """Run simulations, each round aimed at what is missing, until every coverage goal is met.

    Functional coverage comes from both simulators, code coverage from Verilator. What has run stays in
    out/closure, with the report as report.html and report.json. A goal that is missed is status 1.
    """
    console = Terminal()
    if job_list is not None and (resume or write_list):
        raise Ga2Error("--list runs a list by itself; leave out --resume and --write-list")
    with held(STATE):
        if job_list is None:
            return _close(seed, console, resume=resume, write_list=write_list)
        return _run_list(job_list, console)


def _close(seed: int, console: Console, *, resume: bool, write_list: bool) -> ExitStatus:
    # No other command waits for what these bring along: the solver, jinja2, matplotlib.
    from regressions.closing.outcome import outcome_of
    from regressions.closing.publishing import publish
    from regressions.closing.text_report import report, round_line

    model = load_model()
    here = provenance(seed, model.fingerprint)
    if resume:
        go_on(STATE, here)
    else:
        begin(STATE, here)
    _build(console, code_coverage=True)
    with ClosingProgress(console) as progress:
        runner = JobRunner(seed, STATE, model, WORKERS, progress, sources=here.sources)
        campaign = Campaign(runner)
        for summary in campaign.rounds():
            progress.show(summary)
            progress.print(round_line(len(campaign.ends) - 1, by_round(campaign)[-1], summary))
    counts = runner.code_counts()
    outcome = outcome_of(campaign, summary, score(counts, load_exclusions(), REPOSITORY), load_plan(), here)
    publish(outcome, counts, STATE)
    for line in not_compared():
        console.print(line)
    console.print(report(outcome), soft_wrap=True)
    if write_list and summary.met == len(summary.items):
        _write_list(runner, summary, console)
    elif write_list:
        console.print(
            f"{CLOSING_LIST} stays as it was, since functional coverage is not closed", soft_wrap=True
        )
    return ExitStatus.GOOD if outcome.met else ExitStatus.MISMATCH


def _write_list(campaign: JobRunner, covered: Summary, console: Console) -> None:
    from regressions.closing.standing_list import all_pieces, header, proven_list

    _build(console, code_coverage=False)
    with console.status("choosing what the list needs"):
        pieces = all_pieces(campaign)
    with ClosingProgress(console) as progress:
        runner = _list_runner(campaign.seed, progress, campaign.sources)
        jobs = proven_list(pieces, covered, runner)
    save_jobs(CLOSING_LIST, header(campaign, jobs), jobs)
    console.print(f"{CLOSING_LIST}: {len(jobs)} simulations")


def _run_list(path: Path, console: Console) -> ExitStatus:
    """Run the jobs of a list, and nothing else, and show what they cover."""
    jobs = load_jobs(path)
    sources = source_digests()
    _build(console, code_coverage=False)
    with ClosingProgress(console) as progress:
        runner = _list_runner(1, progress, sources)
        runner.run(jobs)
        summary = runner.summary()
    for line in not_compared():
        console.print(line)
    console.print(coverage_report(summary))
    if summary.hit < summary.bins:
        console.print(holes_report(summary), soft_wrap=True)
    met = summary.met == len(summary.items)
    if not met and path.resolve() == CLOSING_LIST:
        again = "python -m regressions close --write-list"
        console.print(f"{shown_path(path)}: misses goals; make it anew: {again}", soft_wrap=True)
    return ExitStatus.GOOD if met else ExitStatus.MISMATCH


def _build(console: Console, *, code_coverage: bool) -> None:
    with console.status("building"):
        build("icarus")
        build("verilator", code_coverage=code_coverage)


def _list_runner(seed: int, progress: ClosingProgress, sources: Mapping[str, str]) -> JobRunner:
    shutil.rmtree(LIST_STATE, ignore_errors=True)
    LIST_STATE.mkdir(parents=True)
    return JobRunner(seed, LIST_STATE, load_model(), WORKERS, progress, code_coverage=False, sources=sources)
