"""`code-coverage`: which lines, branches, conditions, toggles and FSM arcs of the RTL were reached."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refmodel.errors import Ga2Error
from regressions.code_coverage.files import load_all
from regressions.code_coverage.text_report import report
from regressions.exit_status import ExitStatus
from regressions.terminal import Terminal
from sequences.whole_file import require_directory
from verif.code_coverage.counts import write_counts
from verif.code_coverage.exclusions import apply_exclusions, load_exclusions
from verif.code_coverage.score import score
from verif.simulation.plain_path import REPOSITORY

app = typer.Typer(
    help="Code coverage of the RTL that `make test CODE_COVERAGE=1` collected.", no_args_is_help=True
)

FilesArgument = Annotated[
    list[Path] | None,
    typer.Argument(help="Files, or directories of them (default: out/code-coverage).", metavar="[FILE]..."),
]
OutputOption = Annotated[Path | None, typer.Option(metavar="FILE", callback=require_directory)]


@app.command("report")
def report_command(files: FilesArgument = None) -> ExitStatus:
    """Show percentages before and after exclusions; a missed goal or a wrong exclusion is status 1."""
    judged = score(load_all(files or []), load_exclusions(), REPOSITORY)
    Terminal().print(report(judged), soft_wrap=True)
    return ExitStatus.MISMATCH if judged.shortfalls else ExitStatus.GOOD


@app.command("merge")
def merge_command(
    output: Annotated[Path, typer.Argument(help="The file to write.", callback=require_directory)],
    files: FilesArgument = None,
) -> ExitStatus:
    """Write the sum of files in Verilator's own format; their order does not matter."""
    write_counts(output, load_all(files or []))
    return ExitStatus.GOOD


@app.command("export")
def export_command(
    files: FilesArgument = None, lcov: OutputOption = None, html: OutputOption = None
) -> ExitStatus:
    """Write LCOV, or HTML with every source line, or both."""
    if lcov is None and html is None:
        raise Ga2Error("nothing to export: give --lcov, --html, or both")
    from regressions.code_coverage.gcovr_export import export  # no other command waits for gcovr

    counts = load_all(files or [])
    excluded = apply_exclusions(load_exclusions(), counts, REPOSITORY).points
    export(counts, excluded, REPOSITORY, lcov=lcov, html=html)
    return ExitStatus.GOOD
