"""Writes a campaign's report, in every form but the terminal's."""

from __future__ import annotations

from pathlib import Path

from regressions.closing.html_report import export_html
from regressions.closing.json_report import to_json
from regressions.closing.outcome import Outcome
from regressions.code_coverage.gcovr_export import export as export_code
from regressions.coverage.html_report import export_html as export_bins
from sequences.whole_file import write_json
from verif.code_coverage.counts import Counts
from verif.code_coverage.exclusions import apply_exclusions, load_exclusions
from verif.simulation.plain_path import REPOSITORY


def publish(outcome: Outcome, counts: Counts, directory: Path) -> None:
    """Write report.json and report.html, and the pages of bins and RTL that it links to.

    Raises Ga2Error where one of them cannot be written.
    """
    write_json(directory / "report.json", to_json(outcome))
    export_bins(outcome.summary, directory / "bins.html")
    (directory / "code").mkdir(exist_ok=True)
    excluded = apply_exclusions(load_exclusions(), counts, REPOSITORY).points
    export_code(counts, excluded, REPOSITORY, html=directory / "code" / "index.html")
    links = {"every bin": "bins.html", "every line of the RTL": "code/index.html"}
    export_html(outcome, directory / "report.html", links)
