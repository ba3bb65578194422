"""`run`: the published table."""

from __future__ import annotations

import os
import shutil
import time
from typing import Annotated

import typer

from regressions.choices import RTL_SIMULATORS, one_of
from regressions.exit_status import ExitStatus
from regressions.failure_lines import shown_path
from regressions.junit_report import write_junit
from regressions.published.failures import table_failures
from regressions.published.run import run_table, total_cycles
from regressions.published.view import cases, decoding_table, program_table, summary
from regressions.side_by_side import directory_of_simulations, simulation_progress
from regressions.terminal import Terminal
from sequences.whole_file import discard_old, write_json
from verif.simulation.sim_make import OUT, build, not_compared
from verif.sources import source_digests


def run(
    sim: Annotated[
        str | None, typer.Option("--sim", help="One simulator only: icarus or verilator.", metavar="NAME")
    ] = None,
) -> ExitStatus:
    """Decode on the RTL and check every figure of the published table.

    Writes out/run/summary.json and out/run/junit.xml.
    """
    simulators = RTL_SIMULATORS if sim is None else (one_of("--sim", sim, RTL_SIMULATORS),)
    directory = OUT / "run"
    directory.mkdir(parents=True, exist_ok=True)
    summary_file, junit_file = directory / "summary.json", directory / "junit.xml"
    discard_old(summary_file, junit_file)
    sources = source_digests()
    console = Terminal()
    for simulator in simulators:
        with console.status(f"building for {simulator}"):
            build(simulator)
    began = time.perf_counter()
    with (
        directory_of_simulations(directory) as simulations,
        simulation_progress(console, "cycles") as progress,
    ):
        task = progress.add_task("simulating", total=total_cycles(simulators))
        results = run_table(
            simulators,
            simulations,
            workers=os.cpu_count() or 1,
            sources=sources,
            on_progress=lambda cycles: progress.update(task, completed=cycles),
        )
        good = all(result.good for result in results)
        if good:
            shutil.rmtree(simulations)
    seconds = time.perf_counter() - began
    outcome = summary(results, seconds)
    write_json(summary_file, outcome)
    write_junit(junit_file, cases(results, shown_path(summary_file)))
    console.print(decoding_table(results), crop=False, markup=True)
    console.print(program_table(results), crop=False, markup=True)
    for line in table_failures(results, shown_path(summary_file)):
        console.print(line, soft_wrap=True)
    verdict = "[green]every figure reproduced[/]" if good else "[bold red]NOT reproduced[/]"
    comparisons = sum(result.comparisons for result in results)
    for line in not_compared():
        console.print(line)
    console.print(f"{verdict}: {comparisons:,} comparisons in {seconds:.1f} s", markup=True)
    if not good:
        console.print(f"every simulation's report and log: {shown_path(simulations)}", soft_wrap=True)
    return ExitStatus.GOOD if good else ExitStatus.MISMATCH
