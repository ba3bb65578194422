"""`gates`: the synthesized chip, its cells and its behaviour."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from regressions.choices import RTL_SIMULATORS, one_of
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
    sim: Annotated[
        str | None, typer.Option("--sim", help="One simulator only: icarus or verilator.", metavar="NAME")
    ] = None,
    cells_only: Annotated[bool, typer.Option("--cells-only", help="Run nothing.")] = False,
    history: HistoryOption = HISTORY,
    json: JsonOption = None,
) -> ExitStatus:
    """Synthesize the chip, count its cells per unit against the history, and simulate what came out."""
    simulators = RTL_SIMULATORS if sim is None else (one_of("--sim", sim, RTL_SIMULATORS),)
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
    for run in () if cells_only else [each for each in RUNS if each.simulator in simulators]:
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
