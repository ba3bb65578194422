"""`gates`: the synthesized chip, its cells and its behaviour."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from regressions.exit_status import ExitStatus
from regressions.gates import RUNS, cells_table, growth_lines, run_netlist, unit_cells
from regressions.history.cells import last_cells, record_cells
from regressions.history.database import HISTORY, opened
from regressions.options import HistoryOption, JsonOption
from regressions.side_by_side import directory_of_simulations
from regressions.terminal import Terminal
from sequences.whole_file import write_json
from verif.failure.provenance import git_commit
from verif.netlist.synthesis import Level, synthesize
from verif.simulation.sim_make import OUT


def gates(
    sim: Annotated[bool, typer.Option("--sim", help="Run the netlists in the bench too.")] = False,
    history: HistoryOption = HISTORY,
    json: JsonOption = None,
) -> ExitStatus:
    """Synthesize the chip, count its cells per unit against the history, and simulate what came out."""
    console = Terminal()
    with console.status("synthesizing"):
        netlists = {level: synthesize(level) for level in Level}
    cells = unit_cells(netlists[Level.GATES])
    with opened(history, create=True) as connection:
        before = last_cells(connection)
        record_cells(connection, datetime.now(UTC).isoformat(), git_commit(), cells)
    console.print(cells_table(netlists[Level.GATES], before), crop=False)
    growth = list(growth_lines(cells, before))
    for line in growth:
        console.print(line, soft_wrap=True)
    runs, good = [], True
    directory = OUT / "gates"
    directory.mkdir(parents=True, exist_ok=True)
    for run in RUNS if sim else ():
        with (
            directory_of_simulations(directory) as simulations,
            console.status(f"{run.test} on {run.simulator}"),
        ):
            report = run_netlist(run, netlists[run.level], simulations)
        good = good and report.passed
        verdict = "passed" if report.passed else f"FAILED: {report.first_wrong}"
        console.print(
            f"{run.level.value} on {run.simulator}, {run.test}: {verdict}; {report.programs} programs, "
            f"{report.comparisons:,} comparisons",
            soft_wrap=True,
        )
        runs.append(
            {
                "level": run.level.value,
                "simulator": run.simulator,
                "test": run.test,
                "passed": report.passed,
                "programs": report.programs,
                "comparisons": report.comparisons,
                "first_wrong": report.first_wrong,
            }
        )
    if json is not None:
        write_json(json, {"cells": cells, "before": before, "growth": growth, "runs": runs, "good": good})
    return ExitStatus.GOOD if good else ExitStatus.MISMATCH
