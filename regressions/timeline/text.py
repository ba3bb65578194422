"""A time line for the terminal: two tables, and one line a lane.

On a narrow terminal the lanes have fewer columns; the tables keep theirs, and it is the terminal that breaks
their lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from regressions.tables import number_table, uncut
from regressions.timeline.accounts import (
    SHOWN_SUBJECTS,
    SubjectAccount,
    lane_accounts,
    subject_accounts,
    with_rest_summed,
)
from regressions.timeline.columns import columns_for
from regressions.timeline.lane import Lane
from regressions.timeline.subject import SubjectKind
from regressions.timeline.timeline import Timeline
from regressions.timeline.wording import end_line, share

LONGEST_NAME = 24
"""Characters of a tensor's name that are shown."""

NARROWEST = 20
"""Columns of the lanes, however narrow the terminal is."""

STYLES = {
    Lane.FRONT: "bright_black",
    Lane.LOAD: "blue",
    Lane.STORE: "bright_cyan",
    Lane.MATRIX: "yellow",
    Lane.REQUANTIZER: "green",
    Lane.SOFTMAX: "magenta",
    Lane.VECTOR_ADD: "red",
    Lane.ARGMAX: "bright_yellow",
}

_LABEL = max(len(lane.title) for lane in Lane) + 2
"""Columns left of the lanes."""


def print_timeline(timeline: Timeline, console: Console) -> None:
    """Print it all."""
    console.print(Text(timeline.title, "bold"), soft_wrap=True)
    console.print(end_line(timeline), soft_wrap=True)
    console.print(lane_table(timeline), crop=False)
    if not timeline.has_map:
        console.print(" By operation, since the bundle has no source map that names tensors:", soft_wrap=True)
    console.print(subject_table(timeline), crop=False)
    for line in lane_lines(timeline, console.width):
        console.print(line, soft_wrap=True)


def lane_table(timeline: Timeline) -> Table:
    """Return the cycles by unit."""
    table = number_table("unit", "operation", "counter", "instructions", "cycles", "share")
    accounts = lane_accounts(timeline)
    for account in accounts:
        lane = account.lane
        table.add_row(
            Text(lane.title, STYLES[lane]),
            lane.opcode.name if lane.opcode is not None else "all",
            lane.counter.value if lane.counter is not None else "",
            f"{account.instructions:,}" if lane.opcode is not None else "",
            f"{account.cycles:,}",
            share(account.cycles, timeline),
            style=None if account.cycles else "dim",
        )
    table.add_section()
    instructions = sum(account.instructions for account in accounts)
    cycles = sum(account.cycles for account in accounts)
    table.add_row("total", "", "cyc_total", f"{instructions:,}", f"{cycles:,}", share(cycles, timeline))
    for column in table.columns[:3]:
        column.justify = "left"
    return uncut(table)


def subject_table(timeline: Timeline) -> Table:
    """Return the cycles by tensor, split by the units that work at all; by operation without a source map."""
    lanes = [account.lane for account in lane_accounts(timeline) if account.cycles]
    table = number_table(
        "tensor" if timeline.has_map else "operation",
        "cycles",
        "share",
        *(lane.opcode.name if lane.opcode is not None else "fetch,\nissue" for lane in lanes),
    )
    accounts = subject_accounts(timeline)
    for account in with_rest_summed(accounts, SHOWN_SUBJECTS):
        table.add_row(*_cells(account, timeline, lanes))
    table.add_section()
    sums = [sum(account.by_lane.get(lane, 0) for account in accounts) for lane in lanes]
    table.add_row("total", f"{sum(sums):,}", share(sum(sums), timeline), *(f"{cycles:,}" for cycles in sums))
    return uncut(table)


def lane_lines(timeline: Timeline, width: int) -> Iterator[Text]:
    """Yield one line for each lane that works, then the axis, none wider than `width` unless that is tiny."""
    columns = columns_for(timeline.cycles, max(NARROWEST, width - _LABEL - 1))
    for lane in Lane:
        spans = list(timeline.spans(lane))
        if spans:
            yield Text(f" {lane.title:{_LABEL}}").append(columns.eighths(spans), STYLES[lane])
    axis, labels = ["─"] * columns.count, ""
    for cycle in columns.ticks():
        axis[columns.column_of(cycle)] = "┬"
        labels = f"{labels:{columns.column_of(cycle)}}{cycle:,}"
    yield Text(f" {'cycle':{_LABEL}}{''.join(axis)}")
    yield Text(f" {'':{_LABEL}}{labels}")


def _cells(account: SubjectAccount, timeline: Timeline, lanes: list[Lane]) -> Iterator[Text | str]:
    name = Text(account.subject.name)
    name.truncate(LONGEST_NAME, overflow="ellipsis")
    if account.subject.kind is not SubjectKind.TENSOR and timeline.has_map:
        name.stylize("italic")
    yield name
    yield f"{account.cycles:,}"
    yield share(account.cycles, timeline)
    for lane in lanes:
        cycles = account.by_lane.get(lane, 0)
        yield f"{cycles:,}" if cycles else ""
