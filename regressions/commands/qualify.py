"""`qualify`: what the bench says of RTL that is broken on purpose."""

from __future__ import annotations

import os
import shutil
import time
from typing import Annotated

import typer
from rich.console import Console

from refmodel.errors import Ga2Error
from regressions.choices import RTL_SIMULATORS, one_of
from regressions.exit_status import ExitStatus
from regressions.failure_lines import shown_path
from regressions.json_file import discard_old, write_json
from regressions.qualification.by_hand_run import run_qualification
from regressions.qualification.by_hand_view import failures, qualification_table, summary
from regressions.qualification.mutation_run import MutationRun, simulator_of
from regressions.qualification.mutation_view import (
    missed_line,
    mutation_summary,
    score_line,
    score_table,
    trial_line,
)
from regressions.rtl import OUT
from regressions.side_by_side import directory_of_simulations, simulation_progress
from verif.qualification.generated.selection import generated_mutants
from verif.qualification.generated.trial import Fate
from verif.qualification.generated.unkilled import load_unkilled, problems
from verif.qualification.mutants import MUTANTS
from verif.qualification.mutated_rtl import MIRRORS
from verif.qualification.qualify import prepare
from verif.qualification.score import judged, score
from verif.sim_make import build


def qualify_bench(
    sim: Annotated[
        str | None, typer.Option("--sim", help="One simulator only: icarus or verilator.", metavar="NAME")
    ] = None,
    only: Annotated[str | None, typer.Option("--only", help="One mutant only.", metavar="NAME")] = None,
) -> ExitStatus:
    """Break the RTL in many ways: is each way found, and is its first divergence named if it is known?

    Prints the mutation score and writes out/qualify/summary.json.
    """
    if os.environ.get("RTL"):
        raise Ga2Error("RTL= names your own RTL, but the project's is what is broken here; leave it out")
    simulators = RTL_SIMULATORS if sim is None else (one_of("--sim", sim, RTL_SIMULATORS),)
    all_generated = generated_mutants()
    if only is not None:
        names = [mutant.name for mutant in MUTANTS] + [mutant.name for mutant in all_generated]
        one_of("--only", only, names)
    mutants = [mutant for mutant in MUTANTS if only in (None, mutant.name)]
    generated = [
        mutant
        for mutant in all_generated
        if only in (None, mutant.name) and simulator_of(mutant) in simulators
    ]
    for_the_set = mutants if "verilator" in simulators else []
    if not mutants and not generated:
        raise Ga2Error(
            f"--only {only} --sim {sim}: it is tried in the other simulator alone; leave --sim out"
        )
    unkilled = load_unkilled()
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
    workers = os.cpu_count() or 1
    with (
        directory_of_simulations(directory) as simulations,
        simulation_progress(console, "mutants") as progress,
    ):
        total = (len(mutants) + 1) * len(simulators) + len(for_the_set) + len(generated)
        task = progress.add_task("simulating", total=total)
        outcomes = (
            run_qualification(mutants, simulators, rtl, simulations, workers, lambda: progress.advance(task))
            if mutants
            else []
        )
        listed = unkilled.keys() if only is None else ()  # one alone gets the whole closing set
        trying = MutationRun(rtl, simulations, listed, workers)
        by_the_set = trying.trials(for_the_set, lambda: progress.advance(task))
        missed = [trial for trial in by_the_set if trial.fate is not Fate.KILLED]
        trials = trying.trials(generated, lambda: progress.advance(task))
        as_expected = all(outcome.good for outcome in outcomes)
        wrong = [*failures(outcomes), *map(missed_line, missed), *problems(unkilled, all_generated, trials)]
        everything = judged(outcomes, trials, unkilled, {trial.mutant.name for trial in missed})
        good = score(everything).good and not wrong
        if good:
            shutil.rmtree(simulations)
    seconds = time.perf_counter() - began
    found = {**summary(outcomes, seconds), **mutation_summary(everything, trials, unkilled), "good": good}
    write_json(summary_file, found)
    if mutants:
        console.print(qualification_table(outcomes), crop=False)
    if only is not None:
        for trial in trials:
            console.print(trial_line(trial), markup=False, soft_wrap=True)
    console.print(score_table(everything, "Mutation score by file", "file"), crop=False)
    console.print(score_table(everything, "Mutation score by operator", "operator"), crop=False)
    for line in wrong:
        console.print(line, markup=False, soft_wrap=True)
    verdict = "[green]every mutant as expected[/]" if as_expected else "[bold red]NOT as expected[/]"
    if mutants:
        console.print(f"{verdict}: {len(mutants)} on {' and '.join(simulators)}")
    console.print(f"{score_line(everything)}; {seconds:.1f} s", soft_wrap=True)
    if not good:
        console.print(f"every simulation's report and log: {shown_path(simulations)}", soft_wrap=True)
    return ExitStatus.GOOD if good else ExitStatus.MISMATCH
