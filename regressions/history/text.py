"""Answers of the history in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import zip_longest

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regressions.history.failures import RecordedFailure, State
from regressions.history.job_history import GOOD, JobRun
from regressions.history.nights import RecordedNight, short_commit
from regressions.history.trends import CycleChange, TrendPoint

_STYLES = {
    State.NEW: "bold red",
    State.KNOWN: "red",
    State.FLAKY: "magenta",
    State.FIXED: "green",
    State.UNSEEN: "dim",
}


def nights_table(nights: Sequence[tuple[RecordedNight, dict[str, int]]]) -> RenderableType:
    """Return nights with their jobs by status."""
    table = _table("night", "commit", "verdict", "jobs")
    for night, jobs in nights:
        told = ", ".join(f"{number} {status}" for status, number in jobs.items()) or "none"
        colour = "green" if night.whole else "yellow"
        verdict = Text("good", colour) if night.good else Text("NOT good", "bold red")
        part = "" if night.whole else " (a part of its list)"
        table.add_row(night.name, short_commit(night.revision), verdict, told + part)
    return table


def cells_view(syntheses: Sequence[tuple[str, str, Mapping[str, int]]]) -> RenderableType:
    """Return syntheses (time, revision, cells of each unit), the newest first, and what each changed."""
    table = _table("synthesized", "commit", "cells", "changed units", right=(2,))
    for now, before in zip_longest(syntheses, syntheses[1:]):
        began, revision, cells = now
        changed = ""
        if before is not None:
            old = before[2]
            changed = ", ".join(
                f"{unit} {cells.get(unit, 0) - old.get(unit, 0):+,}"
                for unit in sorted(cells.keys() | old.keys())
                if cells.get(unit, 0) != old.get(unit, 0)
            )
        table.add_row(_time(began), short_commit(revision), f"{sum(cells.values()):,}", changed or "—")
    return table


def failure_lines(
    night: RecordedNight, before: RecordedNight | None, failures: Sequence[RecordedFailure]
) -> Iterator[Text]:
    """Yield what fails in a night, and what has become of what failed in the one before it."""
    rtl = f", {night.own_rtl}" if night.own_rtl else ""
    yield Text(f"{night.name}, {_time(night.began)}, commit {short_commit(night.revision)}{rtl}", "bold")
    if not failures:
        found = "nothing fails" if night.whole else "nothing of the part that ran fails"
        then = "; there is no whole night before it" if before is None else ", nor did the night before"
        yield Text(found + then, "green" if night.whole else "")
    for each in failures:
        jobs = (
            f"{len(each.jobs)} {'job' if len(each.jobs) == 1 else 'jobs'} on {' and '.join(each.simulators)}"
        )
        yield Text.assemble((each.state.value, _STYLES[each.state]), f": {each.signature}; {jobs}")
        since = each.since
        told = f"    since {_time(since.began)}, commit {short_commit(since.revision)}"
        if each.last_without is not None:
            told += f"; last without it: commit {short_commit(each.last_without.revision)}"
        yield Text(told)
        if each.first_seen.name != since.name:
            yield Text(f"    first seen {_time(each.first_seen.began)}, in {each.first_seen.name}")
        if each.state not in (State.FIXED, State.UNSEEN):
            yield Text(f"    {each.explanation}")
            yield Text(f"    see it again: {each.reproduce}")


def trends_view(points: Sequence[TrendPoint], changes: Sequence[CycleChange]) -> RenderableType:
    """Return how coverage and throughput moved night by night, and every change of a cycle count.

    Below the time of a night stand its list and the RTL, if it is not the project's.
    """
    table = _table("night", "coverage", "simulator", "build", "cycles/s", "programs/s", right=(1, 4, 5))
    for point in points:
        coverage = "" if point.night.coverage is None else f"{point.night.coverage:.2f} %"
        about = [(_time(point.night.began), coverage), (f"  {point.night.list}", "")]
        if point.night.own_rtl:
            about.append((f"  {point.night.own_rtl}", ""))
        speeds = [
            (
                speed.simulator,
                speed.build,
                f"{speed.cycles_per_second:,.0f}",
                f"{speed.programs_per_second:,.1f}",
            )
            for speed in point.speeds
        ]
        for left, right in zip_longest(about, speeds, fillvalue=()):
            table.add_row(*(left or ("", "")), *right)
    machines = sorted({speed.machine for point in points for speed in point.speeds})
    told = [Text(f"machine: {machine}") for machine in machines]
    if len(machines) > 1:
        told.append(Text("speeds of different machines do not compare; --json tells which is whose"))
    told += [Text(_change(change), "" if change.accepted else "bold red") for change in changes]
    if not changes:
        told.append(Text("no cycle count of a standing workload changed"))
    return Group(table, *told)


def job_view(job: str, runs: Sequence[JobRun], since: JobRun | None) -> RenderableType:
    """Return what a job came to in the last nights, and since when it has not passed."""
    table = _table("began", "commit", "seed", "status", "cycles", "seconds", right=(2, 4, 5))
    for run in runs:
        status = Text(run.status, "green" if run.status in GOOD else "bold red")
        cells = (_time(run.began), short_commit(run.revision), str(run.seed))
        table.add_row(*cells, status, f"{run.cycles:,}", f"{run.seconds:.1f}")
    if since is None:
        return Group(table, Text(f"{job} is {runs[-1].status}", "green"))
    then = f"{_time(since.began)}, commit {short_commit(since.revision)}"
    told = f"{job} has not passed since {then}: {since.reason}"
    return Group(table, Text(told, "bold red"))


def _change(change: CycleChange) -> str:
    accepted = f"accepted: {change.accepted}" if change.accepted else "not accepted"
    return (
        f"{change.job}: {change.before:,} → {change.after:,} cycles in {change.night}, "
        f"commit {short_commit(change.revision)} ({accepted})"
    )


def _table(*columns: str, right: Sequence[int] = ()) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number in right else "left", overflow="fold")
    return table


def _time(began: str) -> str:
    return datetime.fromisoformat(began).astimezone().strftime("%Y-%m-%d %H:%M")
