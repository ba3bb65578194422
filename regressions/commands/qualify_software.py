"""`qualify-software`: whether the Python tests see a reference model that is broken on purpose."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from regressions.choices import one_of
from regressions.exit_status import ExitStatus
from regressions.side_by_side import progress_bar
from regressions.software_qualification.mutants import SOFTWARE_MUTANTS
from regressions.software_qualification.qualify import qualify_tests
from regressions.software_qualification.view import failures, qualification_table, summary
from regressions.terminal import Terminal
from sequences.whole_file import discard_old, write_json
from verif.simulation.sim_make import OUT


def qualify_software(
    only: Annotated[str | None, typer.Option("--only", help="One mutant only.", metavar="NAME")] = None,
) -> ExitStatus:
    """Break the host loop and the compiler in many ways, and check that a Python test sees each.

    Writes out/qualify-software/summary.json.
    """
    if only is not None:
        one_of("--only", only, [mutant.name for mutant in SOFTWARE_MUTANTS])
    mutants = [mutant for mutant in SOFTWARE_MUTANTS if only in (None, mutant.name)]
    directory = OUT / "qualify-software"
    directory.mkdir(parents=True, exist_ok=True)
    summary_file = directory / "summary.json"
    discard_old(summary_file)
    console = Terminal()
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory(prefix="copies-", dir=directory) as copies,
        progress_bar(console, "testing", "runs of tests") as progress,
    ):
        task = progress.add_task("testing", total=len(mutants) + 1)
        outcomes = qualify_tests(
            mutants, Path(copies), workers=os.cpu_count() or 1, on_done=lambda: progress.advance(task)
        )
    seconds = time.perf_counter() - began
    good = all(outcome.good for outcome in outcomes)
    write_json(summary_file, summary(outcomes, seconds))
    console.print(qualification_table(outcomes), crop=False, markup=True)
    for line in failures(outcomes):
        console.print(line, soft_wrap=True)
    verdict = "[green]every mutant killed[/]" if good else "[bold red]NOT every mutant killed[/]"
    console.print(f"{verdict}: {len(mutants)} in {seconds:.1f} s", markup=True)
    return ExitStatus.GOOD if good else ExitStatus.MISMATCH
