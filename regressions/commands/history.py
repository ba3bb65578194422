"""`history`: what nights have left behind, and since when."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from regressions.exit_status import ExitStatus
from regressions.history.cells import syntheses
from regressions.history.database import HISTORY, HistoryError, opened
from regressions.history.document import NightDocument, read_night
from regressions.history.failures import RecordedFailure, failures_of
from regressions.history.job_history import failing_since, runs_of
from regressions.history.markdown import night_markdown
from regressions.history.nights import find_night, latest_nights, night_before, statuses
from regressions.history.recording import accept_cycles, import_nights
from regressions.history.text import cells_view, failure_lines, job_view, nights_table, trends_view
from regressions.history.trends import cycle_changes, trend
from regressions.options import HistoryOption, JsonOption, LastOption, ListOption
from regressions.terminal import Terminal, show
from sequences.whole_file import write_json

app = typer.Typer(
    help="What nights have left behind: since when, new or known, and trends.", no_args_is_help=True
)

PlacesArgument = Annotated[
    list[Path], typer.Argument(help="Directories of nights, or summaries.", metavar="NIGHT...")
]


@app.command("nights")
def nights_command(
    list_name: ListOption = None,
    last: LastOption = 20,
    history: HistoryOption = HISTORY,
    json: JsonOption = None,
) -> ExitStatus:
    """List the last nights."""
    with opened(history) as connection:
        nights = [
            (night, statuses(connection, night)) for night in latest_nights(connection, list_name, last)
        ]
    if json is not None:
        write_json(json, {"nights": [{**night.to_json(), "statuses": jobs} for night, jobs in nights]})
    Terminal().print(nights_table(nights))
    return ExitStatus.GOOD


@app.command("cells")
def cells_command(
    last: LastOption = 20, history: HistoryOption = HISTORY, json: JsonOption = None
) -> ExitStatus:
    """List what the chip's units took in cells when `gates` last synthesized it."""
    with opened(history) as connection:
        counted = syntheses(connection, last)
    if json is not None:
        keys = ("began", "revision", "cells")
        write_json(json, {"syntheses": [dict(zip(keys, each, strict=True)) for each in counted]})
    Terminal().print(cells_view(counted))
    return ExitStatus.GOOD


@app.command("failures")
def failures_command(
    night: Annotated[
        str | None, typer.Option(help="A night by its name (default: the last).", metavar="NAME")
    ] = None,
    list_name: ListOption = None,
    history: HistoryOption = HISTORY,
    json: JsonOption = None,
) -> ExitStatus:
    """Tell what of a night's failures is new, known, flaky or fixed, and since when each is there."""
    with opened(history) as connection:
        if night is None:
            (told,) = latest_nights(connection, list_name, 1)
        else:
            told = find_night(connection, night)
        before = night_before(connection, told)
        failures = failures_of(connection, told)
    if json is not None:
        write_json(json, {"night": told.name, "failures": [each.to_json() for each in failures]})
    console = Terminal()
    for line in failure_lines(told, before, failures):
        console.print(line, soft_wrap=True)
    return ExitStatus.GOOD


@app.command("trends")
def trends_command(
    list_name: ListOption = None,
    last: LastOption = 20,
    history: HistoryOption = HISTORY,
    json: JsonOption = None,
) -> ExitStatus:
    """Tell how coverage, throughput and the cycles of the standing workloads moved."""
    with opened(history) as connection:
        nights = latest_nights(connection, list_name, last)
        points, changes = trend(connection, nights), cycle_changes(connection, nights)
    if json is not None:
        told = {"nights": [each.to_json() for each in points], "cycles": [asdict(each) for each in changes]}
        write_json(json, told)
    Terminal().print(trends_view(points, changes))
    return ExitStatus.GOOD


@app.command("job")
def job_command(
    name: Annotated[str, typer.Argument(help="A job's name.", metavar="JOB")],
    last: LastOption = 20,
    history: HistoryOption = HISTORY,
    json: JsonOption = None,
) -> ExitStatus:
    """Tell what a job came to night by night, and since when it fails."""
    with opened(history) as connection:
        runs = runs_of(connection, name)
    since = failing_since(runs)
    if json is not None:
        told = {
            "job": name,
            "failing_since": since and asdict(since),
            "runs": [asdict(run) for run in runs[-last:]],
        }
        write_json(json, told)
    Terminal().print(job_view(name, runs[-last:], since))
    return ExitStatus.GOOD


@app.command("markdown")
def markdown_command(
    places: PlacesArgument,
    history: HistoryOption = HISTORY,
) -> ExitStatus:
    """Print nights as Markdown, for the page of a CI server; a damaged history costs what is new alone."""
    for document in [read_night(place, NightDocument) for place in places]:
        failures: list[RecordedFailure] | str
        try:
            with opened(history) as connection:
                failures = failures_of(connection, find_night(connection, document.night))
        except HistoryError as error:
            failures = str(error)
        for line in night_markdown(document, failures):
            show(line)
    return ExitStatus.GOOD


@app.command("import")
def import_command(
    places: PlacesArgument,
    history: HistoryOption = HISTORY,
) -> ExitStatus:
    """Put nights into the history; one that is there already is replaced.

    One that is damaged or has not ended is named and keeps no other out, but the status is 2.
    """
    done = import_nights(history, places)
    if len(done.refused) < len(places):
        show(f"{done.new} nights are new in {history}, {done.replaced} were there")
    if len(places) == len(done.refused) == 1:
        raise HistoryError(done.refused[0])
    if done.refused:
        reasons = "\n".join(f"  {each}" for each in done.refused)
        raise HistoryError(f"{len(done.refused)} of {len(places)} nights were not imported:\n{reasons}")
    return ExitStatus.GOOD


@app.command("accept")
def accept_command(
    night: Annotated[str, typer.Argument(help="The night's name.", metavar="NIGHT")],
    reason: Annotated[str, typer.Option(help="Why other counts are right.", metavar="TEXT")],
    history: HistoryOption = HISTORY,
) -> ExitStatus:
    """Accept the cycle counts of a night: later nights must have the same."""
    accepted = accept_cycles(history, night, reason)
    show(f"later nights must have the cycle counts of {accepted.name}")
    return ExitStatus.GOOD
