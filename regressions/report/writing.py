"""Writes the report of a night.

This module loads matplotlib: import it only where a report is asked for.
"""

from __future__ import annotations

import shutil
from datetime import tzinfo
from pathlib import Path
from typing import Any

from regressions.coverage.html_report import export_html
from regressions.nightly.verdict import coverage_words
from regressions.report.covered import CoveredCode, code_coverage, functional_coverage
from regressions.report.environment import environment_of, job_command
from regressions.report.failures import ReportedFailure, dependences_of_night, failures_of_night, gone
from regressions.report.glance import first_thing, problem_lines
from regressions.report.pages import PAGES, links, render, status_counts, templates
from regressions.report.proof import proof_of
from regressions.report.remembered import Remembered, remember
from regressions.report.site import new_site
from regressions.report.summary import ReportedNight, read_reported
from regressions.report.trend_charts import (
    coverage_chart,
    cycles_chart,
    duration_chart,
    machines_of,
    speed_columns,
    throughput_charts,
)
from regressions.report.workload_cache import workloads
from regressions.report.workload_page import workload_content
from sequences.whole_file import write_text

REPORT = "report"
"""Below a night's directory: its report."""

PICTURES = "pictures"

CODE_PAGE = "code/index.html"


def write_report(directory: Path, history: Path, out: Path | None = None) -> Path:
    """Write the report of a night and return its first page.

    Raises Ga2Error, with nothing written, where the night or the history is damaged or there is no place.
    """
    night = read_reported(directory)
    remembered = remember(history, night.summary.night)
    place = directory / REPORT if out is None else out
    with new_site(place) as site:
        _fill(site, night, remembered)
    return place / "index.html"


def _fill(site: Path, night: ReportedNight, remembered: Remembered) -> None:
    """Write all pages and pictures into an empty directory."""
    covered, code = functional_coverage(night.directory), code_coverage(night.directory)
    there = [address for address in PAGES if address != "bins.html" or covered.summary is not None]
    failures = failures_of_night(night, remembered)
    pictures = _copy_pictures(site, failures)
    code_page = _write_code(site, code)
    model = workloads()
    proof = proof_of(night, model.table)
    zone = night.summary.began.tzinfo
    common: dict[str, Any] = {"night": night, "summary": night.summary, "covered": covered, "proof": proof}
    content: dict[str, dict[str, Any]] = {
        "index.html": {
            "covered_words": coverage_words(night.summary.coverage.hit, night.summary.coverage.bins),
            "problems": list(problem_lines(night.summary)),
            "first": first_thing(night, failures, gone(remembered)),
            "statuses": status_counts(night.summary.statuses, len(night.summary.missing)),
            "failures": failures,
            "dependences": dependences_of_night(remembered),
            "gone": gone(remembered),
            "remembered": remembered,
            "pictures": pictures,
            "environment": environment_of(night.summary),
            "best": max(model.table, key=lambda each: each.speedup),
        },
        "coverage.html": {"code": code, "code_page": code_page},
        "workloads.html": workload_content(model),
        "trends.html": {
            "remembered": remembered,
            "rows": list(zip(remembered.points, remembered.jobs, strict=True))[::-1],
            "charts": _trend_charts(remembered, zone),
            "machines": machines_of(remembered.points),
            "speeds": speed_columns(remembered.points),
        },
        "jobs.html": {
            "jobs": sorted(night.summary.jobs, key=lambda job: (-job.seconds, job.name)),
            "statuses": status_counts(night.summary.statuses, len(night.summary.missing)),
            "simulators": sorted({job.simulator for job in night.summary.jobs}),
            "failure_of": {name: each for each in failures for name in each.bucket.jobs},
            "job_command": job_command(night.summary),
        },
    }
    found = templates(zone)
    for address, filling in content.items():
        write_text(site / address, render(found, address, there, **common, **filling))
    if covered.summary is not None:
        export_html(covered.summary, site / "bins.html", links("bins.html", there))


def _copy_pictures(site: Path, failures: list[ReportedFailure]) -> dict[int, str]:
    """Put the failures' pictures into the site, so that it can be moved; return their addresses."""
    found = {each.number: each.picture for each in failures if each.picture is not None}
    if found:
        (site / PICTURES).mkdir()
    addresses = {number: f"{PICTURES}/failure-{number}.png" for number in found}
    for number, path in found.items():
        shutil.copyfile(path, site / addresses[number])
    return addresses


def _write_code(site: Path, code: CoveredCode) -> str:
    """Write the pages of the RTL's sources, if the night counted them; return the address of the first."""
    if code.counts is None:
        return ""
    code.export(site / CODE_PAGE)
    return CODE_PAGE


def _trend_charts(remembered: Remembered, zone: tzinfo | None) -> dict[str, list[Any]]:
    points = remembered.points
    if not points:
        return {}
    cycles = cycles_chart(points, zone, remembered.standing)
    return {
        "coverage": [coverage_chart(points, zone), duration_chart(points, zone)],
        "throughput": list(throughput_charts(points, zone)),
        "cycles": [] if cycles is None else [cycles],
    }
