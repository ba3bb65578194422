"""`coverage`: what was exercised, what was not, and which runs it takes."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path
from typing import Annotated

import typer

from refmodel.errors import Ga2Error
from regressions.choices import one_of
from regressions.coverage.databases import load_all
from regressions.coverage.summary import Summary, summarize
from regressions.coverage.text_report import grade_report, holes_report, item_report, report
from regressions.exit_status import ExitStatus
from regressions.terminal import Terminal, show
from sequences.whole_file import require_directory, write_text
from verif.coverage.database_file import database_text
from verif.coverage.model import load_model

PAGE_WIDTH = 100
"""Columns of a text file."""

app = typer.Typer(
    help="Functional coverage of databases that `make test COVERAGE=1` collected.", no_args_is_help=True
)

DatabasesArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        help="Databases, or directories of them (default: out/coverage).", metavar="[DATABASE]..."
    ),
]
ItemOption = Annotated[
    str | None,
    typer.Option("--item", help="Show every bin of this item, and what hit it first.", metavar="NAME"),
]
FileOption = Annotated[Path | None, typer.Option(metavar="FILE", callback=require_directory)]


@app.command("report")
def report_command(databases: DatabasesArgument = None, item: ItemOption = None) -> ExitStatus:
    """Show how much of every item was hit."""
    summary = _summary(databases)
    console = Terminal()
    if item is None:
        console.print(report(summary))
        return ExitStatus.GOOD
    names = [each.item.name for each in summary.items]
    position = names.index(one_of("--item", item, names))
    console.print(item_report(summary, summary.items[position]))
    return ExitStatus.GOOD


@app.command("holes")
def holes_command(databases: DatabasesArgument = None) -> ExitStatus:
    """Say in words what was never hit."""
    Terminal().print(holes_report(_summary(databases)), soft_wrap=True)
    return ExitStatus.GOOD


@app.command("merge")
def merge_command(
    output: Annotated[Path, typer.Argument(help="The database to write.", callback=require_directory)],
    databases: DatabasesArgument = None,
) -> ExitStatus:
    """Write the union of databases; their order and repetitions do not matter."""
    model = load_model()
    merged = load_all(databases or [], model)
    write_text(output, database_text(merged, model))
    show(f"{len(merged.counting)} runs that passed, {len(merged.failed)} that failed")
    return ExitStatus.GOOD


@app.command("grade")
def grade_command(databases: DatabasesArgument = None) -> ExitStatus:
    """List a smallest set of runs (test, seed and simulator) that hits every bin that was hit."""
    from regressions.coverage.grading import grade  # no other command waits for the solver

    database = load_all(databases or [], load_model())
    Terminal().print(grade_report(grade(database), len(database.counting)))
    return ExitStatus.GOOD


@app.command("export")
def export_command(
    databases: DatabasesArgument = None,
    text: FileOption = None,
    html: FileOption = None,
    ucis: FileOption = None,
) -> ExitStatus:
    """Write the report as text, as one HTML page, or as UCIS XML that its schema accepts."""
    if text is None and html is None and ucis is None:
        raise Ga2Error("nothing to export: give --text, --html or --ucis, or several of them")
    outputs = [os.path.realpath(path) for path in (text, html, ucis) if path is not None]
    if len(set(outputs)) < len(outputs):
        raise Ga2Error("two formats cannot go into one file; give each a name of its own")
    summary = _summary(databases)
    if text is not None:
        console = Terminal(file=StringIO(), record=True, width=PAGE_WIDTH)
        console.print(report(summary), holes_report(summary), sep="\n")
        write_text(text, console.export_text())
    if html is not None:
        from regressions.coverage.html_report import export_html  # nor for this

        export_html(summary, html)
    if ucis is not None:
        from regressions.coverage.ucis_export import export_ucis  # nor for this

        export_ucis(summary, ucis)
    return ExitStatus.GOOD


def _summary(databases: list[Path] | None) -> Summary:
    model = load_model()
    return summarize(load_all(databases or [], model), model)
