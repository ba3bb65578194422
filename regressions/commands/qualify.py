"""`qualify`: what the bench says of RTL that is broken on purpose."""

from __future__ import annotations

import os
import shutil
import time
from typing import Annotated

import typer
from rich.console import Console

from regressions.choices import RTL_SIMULATORS, one_of
from regressions.exit_status import ExitStatus
from regressions.failure_lines import shown_path
from regressions.json_file import discard_old, write_json
from regressions.qualification_run import run_qualification
from regressions.qualification_view import failures, qualification_table, summary
from regressions.rtl import OUT
from regressions.side_by_side import directory_of_simulations, simulation_progress
from verif.qualification.mutants import MUTANTS
from verif.qualification.mutated_rtl import MIRRORS
from verif.qualification.qualify import prepare
from verif.sim_make import build


def qualify_bench(
    sim: Annotated[
        str | None, typer.Option("--sim", help="One simulator only: icarus or verilator.", metavar="NAME")
    ] = None,
    only: Annotated[str | None, typer.Option("--only", help="One mutant only.", metavar="NAME")] = None,
) -> ExitStatus:
    """Break the RTL in many ways, and check that the bench names the first divergence of each.

    Writes out/qualify/summary.json.
    """
    simulators = RTL_SIMULATORS if sim is None else (one_of("--sim", sim, RTL_SIMULATORS),)
    if only is not None:
        one_of("--only", only, [mutant.name for mutant in MUTANTS])
    mutants = [mutant for mutant in MUTANTS if only in (None, mutant.name)]
    directory = OUT / "qualify"
    directory.mkdir(parents=True, exist_ok=True)
    summary_file = directory / "summary.json"
    discard_old(summary_file)
    console = Console(highlight=False)
    rtl = prepare()
    for simulator in simulators:
        with console.status(f"building for {simulator}"):
            build(simulator, rtl, MIRRORS)
    began = time.perf_counter()
    with (
        directory_of_simulations(directory) as simulations,
        simulation_progress(console, "simulations") as progress,
    ):
        task = progress.add_task("simulating", total=(len(mutants) + 1) * len(simulators))
        outcomes = run_qualification(
            mutants,
            simulators,
            rtl,
            simulations,
            workers=os.cpu_count() or 1,
            on_done=lambda: progress.advance(task),
        )
        good = all(outcome.good for outcome in outcomes)
        if good:
            shutil.rmtree(simulations)
    seconds = time.perf_counter() - began
    write_json(summary_file, summary(outcomes, seconds))
    console.print(qualification_table(outcomes), crop=False)
    for line in failures(outcomes):
        console.print(line, markup=False, soft_wrap=True)
    verdict = "[green]every mutant as expected[/]" if good else "[bold red]NOT as expected[/]"
    console.print(f"{verdict}: {len(mutants)} on {' and '.join(simulators)} in {seconds:.1f} s")
    if not good:
        console.print(f"every simulation's report and log: {shown_path(simulations)}", soft_wrap=True)
    return ExitStatus.GOOD if good else ExitStatus.MISMATCH
