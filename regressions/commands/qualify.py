"""`qualify`: what the bench says of RTL that is broken on purpose."""

from __future__ import annotations

import os
import shutil
import time
from typing import Annotated

import typer
from rich.console import Console

from refmodel.errors import Ga2Error
from regressions.exit_status import ExitStatus
from regressions.failure_lines import shown_path
from regressions.qualification.by_hand_view import qualification_table, summary
from regressions.qualification.chosen import Chosen, choose
from regressions.qualification.finding import Finding, find
from regressions.qualification.mutation_view import mutation_summary, score_line, score_table, trial_line
from regressions.side_by_side import directory_of_simulations, simulation_progress
from regressions.terminal import Terminal
from sequences.whole_file import discard_old, write_json
from verif.qualification.generated.unkilled import load_unkilled
from verif.qualification.mutated_rtl import MIRRORS
from verif.qualification.qualify import numbers, prepare, prepare_whole
from verif.simulation.sim_make import OUT, build
from verif.sources import source_digests


def qualify_bench(
    sim: Annotated[
        str | None, typer.Option("--sim", help="One simulator only: icarus or verilator.", metavar="NAME")
    ] = None,
    only: Annotated[str | None, typer.Option("--only", help="One mutant only.", metavar="NAME")] = None,
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, help="Only so many generated mutants.", metavar="N")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="What draws the sample.", metavar="N", show_default=True)
    ] = 1,
) -> ExitStatus:
    """Break the RTL in many ways: is each way found, and is its first divergence named if it is known?

    Prints the mutation score and writes out/qualify/summary.json.
    """
    if os.environ.get("RTL"):
        raise Ga2Error("RTL= names your own RTL, but the project's is what is broken here; leave it out")
    chosen = choose(sim, only, sample, seed)
    unkilled = load_unkilled()
    directory = OUT / "qualify"
    directory.mkdir(parents=True, exist_ok=True)
    summary_file = directory / "summary.json"
    discard_old(summary_file)
    sources = source_digests()
    console = Terminal()
    rtl = {"icarus": prepare(), "verilator": prepare_whole()}
    for simulator in chosen.simulators:
        with console.status(f"building for {simulator}"):
            build(simulator, rtl[simulator], MIRRORS)
    began = time.perf_counter()
    with (
        directory_of_simulations(directory) as simulations,
        simulation_progress(console, "mutants") as progress,
    ):
        task = progress.add_task("simulating", total=chosen.runs)
        workers = os.cpu_count() or 1
        selected = numbers(whole=True)
        found = find(
            chosen, unkilled, rtl, selected, simulations, workers, sources, lambda: progress.advance(task)
        )
        if found.good:
            shutil.rmtree(simulations)
    seconds = time.perf_counter() - began
    told = {
        **summary(found.outcomes, seconds),
        **mutation_summary(found.mutants, found.trials, unkilled),
        "good": found.good,
    }
    write_json(summary_file, told)
    _print(chosen, found, seconds, console)
    if not found.good:
        console.print(f"every simulation's report and log: {shown_path(simulations)}", soft_wrap=True)
    return ExitStatus.GOOD if found.good else ExitStatus.MISMATCH


def _print(chosen: Chosen, found: Finding, seconds: float, console: Console) -> None:
    if chosen.by_hand:
        console.print(qualification_table(found.outcomes), crop=False, markup=True)
    if chosen.is_one:
        for trial in found.trials:
            console.print(trial_line(trial), soft_wrap=True)
    console.print(score_table(found.mutants, "Mutation score by file", "file"), crop=False)
    console.print(score_table(found.mutants, "Mutation score by operator", "operator"), crop=False)
    for line in found.wrong:
        console.print(line, soft_wrap=True)
    if chosen.by_hand:
        bad, where = found.not_as_expected, f"on {' and '.join(chosen.simulators)}"
        verdict = "[bold red]NOT as expected[/]" if bad else "[green]every mutant as expected[/]"
        count = f"{bad} of {len(chosen.by_hand)}" if bad else len(chosen.by_hand)
        console.print(f"{verdict}: {count} {where}", markup=True)
    console.print(f"{score_line(found.mutants)}; {seconds:.1f} s", markup=True, soft_wrap=True)
