"""Coverage in a terminal: one table of all items, one of an item's bins, the holes."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regressions.coverage.graded_run import GradedRun
from regressions.coverage.holes import Hole, holes_of
from regressions.coverage.summary import ItemSummary, Summary

BAR_WIDTH = 20
FULL, PARTS = "█", " ▏▎▍▌▋▊▉"


def report(summary: Summary) -> RenderableType:
    """Return all items by family, and what they were collected from."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("item", no_wrap=True)
    table.add_column("", no_wrap=True)
    for column in ("hit", "bins", "%", "goal"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("")
    for family, items in summary.by_family().items():
        table.add_row(Text(family.replace("_", " "), style="bold"))
        for each in items:
            table.add_row(
                f" {each.item.name}",
                _bar(each),
                f"{each.hit:,}",
                f"{each.item.bins:,}",
                percent(each.percent),
                f"{each.item.goal:g}",
                Text("✓", "green") if each.met else Text("✗", "red"),
            )
    return Group(table, *(Text(line) for line in headline(summary)))


def headline(summary: Summary) -> list[str]:
    """Return the sums, and what they rest on, as sentences."""
    database = summary.database
    runs = database.counting
    programs = sum(database.passed[run].programs for run in runs)
    seeds = sorted({run.seed for run in runs})
    simulators = sorted({run.simulator for run in runs})
    lines = [
        f"{summary.hit:,} of {summary.bins:,} bins ({percent(summary.percent)} %), "
        f"{summary.met} of {len(summary.items)} items at their goal",
        f"{programs:,} programs in {len(runs):,} runs that passed; {_seeds(seeds)}; "
        f"{' and '.join(simulators) or 'no simulator'}",
    ]
    if database.failed:
        number = len(database.failed)
        lines.append(f"{number} failed {'run does' if number == 1 else 'runs do'} not count")
    for simulator in simulators:
        builds = {run.build for run in runs if run.simulator == simulator}
        if len(builds) > 1:
            lines.append(f"{simulator}: from {len(builds)} different builds of the RTL and the harness")
    return lines


def short_name(test: str) -> str:
    """Return a pytest test without its file; what `make test TEST=` takes."""
    return test.rpartition("::")[2]


def percent(value: float) -> str:
    """Return a percentage that says 100 only where nothing is missing, and 0 only where all is."""
    return f"{min(max(value, 0.1), 99.9) if 0 < value < 100 else value:.1f}"


def item_report(summary: Summary, each: ItemSummary) -> RenderableType:
    """Return every bin of an item: how often it was hit, and by what first."""
    item = each.item
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for dimension in item.dimensions:
        table.add_column(dimension.name)
    table.add_column("hits", justify="right", no_wrap=True)
    table.add_column("first hit by", overflow="fold")
    flat = each.counts.ravel()
    for number in item.bin_numbers():
        first = summary.first_hits.get(item.first + number)
        cells = [*item.bin_names(number), f"{flat[number]:,}"]
        if first is None:
            table.add_row(*cells, style="red")
            continue
        run, program = first
        where = f"{short_name(run.test)}, seed {run.seed}, {run.simulator}"
        table.add_row(*cells, Text(f"{program} in {where}"))
    return Group(
        Text(item.name, style="bold"),
        Text(item.description),
        Text(f"{each.hit} of {item.bins} bins ({percent(each.percent)} %), goal {item.goal:g} %"),
        table,
    )


def holes_report(summary: Summary) -> RenderableType:
    """Return what every item misses, in words."""
    parts: list[RenderableType] = []
    for each in summary.items:
        found = holes_of(each)
        if found:
            missing = each.item.bins - each.hit
            title = f"  never hit: {missing} of {each.item.bins} bins"
            parts.append(Text.assemble((each.item.name, "bold"), (title, "dim")))
            parts += [_hole(hole) for hole in found] if each.hit else [Text("  nothing at all")]
    return Group(*parts) if parts else Text("no holes: every bin was hit", style="green")


def _hole(hole: Hole) -> Text:
    count = f"  ({hole.bins})" if hole.bins > 1 else ""
    return Text.assemble("  ", hole.words, (count, "dim"))


def grade_report(graded: list[GradedRun], total: int) -> RenderableType:
    """Return the smallest set of runs as a table."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("test", overflow="fold")
    for column in ("seed", "simulator", "bins", "adds"):
        table.add_column(column, justify="right", no_wrap=True, min_width=len(column))
    for each in graded:
        run = each.run
        table.add_row(
            Text(short_name(run.test)), str(run.seed), run.simulator, f"{each.bins:,}", f"{each.adds:,}"
        )
    bins = sum(each.adds for each in graded)
    return Group(table, Text(f"{len(graded)} of {total} runs hit all {bins:,} bins that were hit"))


def _bar(each: ItemSummary) -> Text:
    eighths = int(each.percent / 100 * BAR_WIDTH * len(PARTS))
    whole, part = divmod(eighths, len(PARTS))
    bar = FULL * whole + (PARTS[part] if part else "")
    return Text(bar.ljust(BAR_WIDTH, "·"), style="green" if each.met else "yellow")


def _seeds(seeds: list[int]) -> str:
    if not seeds:
        return "no seed"
    return f"seed {seeds[0]}" if len(seeds) == 1 else f"{len(seeds)} seeds ({seeds[0]}..{seeds[-1]})"
