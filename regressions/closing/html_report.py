"""A campaign as one HTML page that needs nothing beside it; pages that lie next to it are linked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from regressions.closing.growth_chart import growth_chart
from regressions.closing.outcome import Outcome
from regressions.closing.page_heat_maps import cost_maps, hit_maps
from regressions.closing.text_report import provenance_lines
from regressions.coverage.html_page import page_environment
from sequences.whole_file import write_text
from verif.code_coverage.score import GOALS


@dataclass(frozen=True)
class Family:
    """The items of one family, summed."""

    name: str
    hit: int
    bins: int
    items: int
    met: int
    chart: str
    """SVG."""

    @property
    def percent(self) -> float:
        """Bins that were hit, of a hundred."""
        return 100 * self.hit / self.bins


def export_html(outcome: Outcome, path: Path, links: dict[str, str]) -> None:
    """Write the page; `links` are pages beside it, by what they show."""
    page = (
        page_environment("regressions.closing")
        .get_template("closure.html")
        .render(
            outcome=outcome,
            families=list(_families(outcome)),
            heat_maps=[*hit_maps(outcome.summary), *cost_maps(outcome.shapes)],
            goals=GOALS,
            smallest={each.run.test for each in outcome.smallest},
            provenance=provenance_lines(outcome.provenance),
            links=links,
        )
    )
    write_text(path, page + "\n")


def _families(outcome: Outcome) -> Iterator[Family]:
    by_family = outcome.summary.by_family()
    for family, items in by_family.items():
        bins = sum(each.item.bins for each in items)
        others = [other for other in by_family if other != family]
        yield Family(
            family.replace("_", " "),
            sum(each.hit for each in items),
            bins,
            len(items),
            sum(each.met for each in items),
            growth_chart(family, bins, outcome.growth, outcome.rounds, others),
        )
