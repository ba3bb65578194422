"""`bench`: how fast everything is."""

from __future__ import annotations

from statistics import median
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.progress import track
from rich.table import Table

from regressions.benchmark.goals import GOALS, Medians
from regressions.benchmark.machine_description import describe_machine
from regressions.benchmark.probe import Probe
from regressions.choices import RTL_SIMULATORS
from regressions.exit_status import ExitStatus
from regressions.terminal import Terminal
from sequences.whole_file import write_json
from verif.simulation.sim_make import OUT, build


def bench(
    rounds: Annotated[int, typer.Option(help="Samples of each measurement.", min=1)] = 5,
) -> ExitStatus:
    """Measure the speed of everything and print the ratios that matter.

    Samples are taken in turn, and ratios are those of medians. Writes out/bench/bench.json. A missed goal
    is shown and changes no exit status, since machines differ.
    """
    from regressions.benchmark.probes import probes  # with pyuvm, which no other command waits for
    from regressions.benchmark.workload import verifier_blocks

    directory = OUT / "bench"
    directory.mkdir(parents=True, exist_ok=True)
    console = Terminal()
    for simulator in RTL_SIMULATORS:
        with console.status(f"building for {simulator}"):
            build(simulator)
    found = probes(verifier_blocks(), directory)
    turns = [probe for number in range(rounds) for probe in found if number == 0 or not probe.once]
    samples: dict[str, list[float]] = {probe.name: [] for probe in found}
    for probe in track(turns, description="measuring", console=console, transient=True):
        samples[probe.name].append(probe.sample())
    medians = {name: median(values) for name, values in samples.items()}
    machine = describe_machine()
    write_json(
        directory / "bench.json",
        {
            "machine": machine,
            "rounds": rounds,
            "samples": samples,
            "medians": medians,
            "goals": {goal.name: goal.value(medians) for goal in GOALS},
        },
    )
    console.print(_measurements(found, samples, medians))
    console.print(_goals(medians), markup=True)
    console.print(", ".join(f"{name} {value}" for name, value in machine.items()))
    return ExitStatus.GOOD


def _measurements(found: list[Probe], samples: dict[str, list[float]], medians: Medians) -> Table:
    table = Table(box=SIMPLE_HEAD)
    table.add_column("measurement")  # broken where the terminal is narrow; figures never are
    for column in ("median", "lowest", "highest", "unit"):
        table.add_column(column, justify="right", no_wrap=True)
    for probe in found:
        values = samples[probe.name]
        cells = [_number(value) for value in (medians[probe.name], min(values), max(values))]
        table.add_row(probe.name, *cells, probe.unit)
    return table


def _goals(medians: Medians) -> Table:
    table = Table(box=SIMPLE_HEAD)
    table.add_column("goal", no_wrap=True)
    for column in ("measured", "wanted", ""):
        table.add_column(column, justify="right", no_wrap=True)
    for goal in GOALS:
        wanted = f"{'≥' if goal.at_least else '≤'} {_number(goal.limit)}"
        verdict = "[green]✓[/]" if goal.met(medians) else "[bold red]✗[/]"
        table.add_row(goal.name, _number(goal.value(medians)), wanted, verdict)
    return table


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.2f}" if value >= 0.01 else f"{value:.2g}"
