"""The pages of a report: which there are, and what fills their templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import partial
from typing import Any

from jinja2 import Environment as Templates

from regressions.coverage.html_page import PageLink, page_environment
from regressions.history.nights import short_commit
from regressions.nightly.result import Status

PAGES = {
    "index.html": "Night",
    "coverage.html": "Coverage",
    "bins.html": "Every bin",
    "workloads.html": "Decoding",
    "trends.html": "Trends",
    "jobs.html": "Jobs",
}
"""By address."""

SIGNS = {
    Status.PASSED: "✓",
    Status.FAILED: "✗",
    Status.TIMEOUT: "⏱",
    Status.CRASHED: "✗",
    Status.FLAKY: "≈",
    Status.KILLED: "✗",
    Status.SKIPPED: "–",
}
"""What stands before a status, so that it is not told by colour alone."""


@dataclass(frozen=True)
class StatusCount:
    """Jobs of one status."""

    status: str
    number: int
    share: float
    """Percent of all."""
    sign: str


def links(current: str, there: Sequence[str]) -> list[PageLink]:
    """Return the pages that there are, as page `current` names them."""
    return [PageLink(PAGES[address], address, address == current) for address in PAGES if address in there]


def status_counts(statuses: Mapping[str, int], missing: int) -> list[StatusCount]:
    """Return the jobs by status, those without a result last; no status that none has."""
    found = {**statuses, "no result": missing}
    total = sum(found.values())
    signs = {status.value: sign for status, sign in SIGNS.items()}
    return [
        StatusCount(status, number, 100 * number / total, signs.get(status, "?"))
        for status, number in found.items()
        if number
    ]


def templates(zone: tzinfo | None) -> Templates:
    """Return the templates of this package, with the filters that they use; times are told in a zone."""
    environment = page_environment("regressions.report")
    environment.filters |= {
        "day": partial(day, zone=zone),
        "duration": duration,
        "commit": short_commit,
        "count": count,
    }
    environment.globals["signs"] = {status.value: sign for status, sign in SIGNS.items()}
    return environment


def render(found: Templates, address: str, there: Sequence[str], **content: Any) -> str:
    """Return a page."""
    template = found.get_template(f"night_{address}")
    return template.render(pages=links(address, there), **content) + "\n"


def day(began: str | datetime, zone: tzinfo | None) -> str:
    """Return a time as people write it in a zone: the night's own, so that pages depend on no machine."""
    moment = began if isinstance(began, datetime) else datetime.fromisoformat(began)
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M")


def duration(seconds: float) -> str:
    """Return seconds as `3 h 05 min`, `5 min 20 s` or `12 s`."""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
    return f"{whole // 60} min {whole % 60:02d} s" if whole >= 60 else f"{whole} s"


def count(value: int) -> str:
    """Return a number with its thousands apart."""
    return f"{value:,}"
