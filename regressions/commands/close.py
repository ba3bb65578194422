"""`close`: from nothing to every coverage goal."""

from __future__ import annotations

import os
import shutil
import time
from typing import Annotated

import typer
from rich.console import Console

from regressions.closing.campaign import Campaign
from regressions.closing.progress import ClosingProgress
from regressions.code_coverage.text_report import report as code_report
from regressions.coverage.text_report import grade_report, holes_report, report
from regressions.exit_status import ExitStatus
from regressions.rtl import OUT
from verif.coverage.model import load_model
from verif.sim_make import build

STATE = OUT / "closure"


def close(
    seed: Annotated[int, typer.Option(help="Seed of all stimulus.", min=0)] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where an interrupted one ended.")] = False,
) -> ExitStatus:
    """Run simulations, each round aimed at what is missing, until every coverage goal is met.

    Functional coverage comes from both simulators, code coverage from Verilator. What has run stays in
    out/closure. A goal that is missed is status 1.
    """
    from regressions.coverage.grading import grade  # no other command waits for the solver

    console = Console(highlight=False)
    if not resume:
        shutil.rmtree(STATE, ignore_errors=True)
    STATE.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    with console.status("building"):
        build("icarus")
        build("verilator", code_coverage=True)
    with ClosingProgress(console) as progress:
        campaign = Campaign(seed, STATE, load_model(), os.cpu_count() or 1, progress)
        for summary in campaign.rounds():
            progress.show(summary)
    code = campaign.code()
    console.print(report(summary))
    console.print(code_report(code))
    if summary.hit < summary.bins:
        console.print(holes_report(summary), soft_wrap=True)
    console.print(grade_report(grade(summary.database), len(campaign.jobs)))
    console.print(f"{len(campaign.jobs)} simulations in {time.perf_counter() - began:.0f} s, seed {seed}")
    met = summary.met == len(summary.items) and not code.shortfalls
    return ExitStatus.GOOD if met else ExitStatus.MISMATCH
