"""The synthesized chip: its cells per unit against the history, and its netlists in the bench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from sequences.random_programs.weights import SHORT_WEIGHTS
from verif.netlist.synthesis import Level, Netlist
from verif.run_report import RunReport
from verif.simulation.simulation import Simulation

TIMEOUT = 3600.0
"""Seconds of CPU time of a simulation of a netlist."""

_RANDOM = {"seed": 1, "weights": str(SHORT_WEIGHTS)}


@dataclass(frozen=True)
class NetlistRun:
    """One simulation of a netlist."""

    level: Level
    simulator: str
    test: str
    parameters: Mapping[str, Any]


RUNS = (
    NetlistRun(Level.GATES, "verilator", "random_programs.RandomProgramTest", {**_RANDOM, "count": 150}),
    NetlistRun(
        Level.GATES,
        "verilator",
        "directed.DirectedTest",
        {"seed": 1, "groups": ["sizes", "matrix", "requantizer", "vectors", "order", "faults", "control"]},
    ),
    NetlistRun(
        Level.WORDS, "icarus", "directed.DirectedTest", {"seed": 1, "groups": ["vectors", "order", "faults"]}
    ),
    NetlistRun(Level.WORDS, "icarus", "random_programs.RandomProgramTest", {**_RANDOM, "count": 5}),
)
"""Icarus gets the level of words: single gates cost it a second for twenty cycles."""


def run_netlist(run: NetlistRun, netlist: Netlist, directory: Path) -> RunReport:
    """Run it in a directory of its own below one of the caller's. Raises SimulationError."""
    simulation = Simulation(
        run.simulator,
        run.test,
        directory / f"{run.level.value}-{run.simulator}-{run.test.partition('.')[0]}",
        run.parameters,
        timeout=TIMEOUT,
        rtl=str(netlist.path),
    )
    return simulation.run()


def unit_cells(netlist: Netlist) -> dict[str, int]:
    """Return the cells of all copies of each module."""
    return {name: count * netlist.copies[name] for name, count in netlist.cells.items()}


def cells_table(netlist: Netlist, before: Mapping[str, int]) -> Table:
    """Return a row for each unit, the largest first, with the change since the history's last count."""
    table = Table(title="Cells per unit", title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("unit", no_wrap=True)
    for name in ("copies", "cells each", "cells", "change"):
        table.add_column(name, justify="right")
    totals = unit_cells(netlist)
    for unit, total in sorted(totals.items(), key=lambda item: -item[1]):
        table.add_row(
            unit,
            str(netlist.copies[unit]),
            f"{netlist.cells[unit]:,}",
            f"{total:,}",
            _change(total, before.get(unit)),
        )
    table.add_section()
    whole = sum(before.values()) if before else None
    table.add_row("all", "", "", f"{netlist.total:,}", _change(netlist.total, whole))
    return table


def growth_lines(now: Mapping[str, int], before: Mapping[str, int]) -> Iterator[str]:
    """Yield a line for each unit that takes another number of cells than when they were last counted."""
    if not before:
        return
    for unit in sorted(now.keys() | before.keys()):
        old, new = before.get(unit, 0), now.get(unit, 0)
        if old != new:
            verb = "grew" if new > old else "shrank"
            yield f"{unit} {verb}: {old:,} cells before, {new:,} now ({new - old:+,})"


def _change(now: int, before: int | None) -> str:
    if before is None:
        return "—"
    return f"{now - before:+,}" if now != before else "0"
