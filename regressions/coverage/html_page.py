"""Where the templates of HTML pages are found, and what all of them share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from refmodel.printable import printable_lines
from regressions.coverage.text_report import percent

LONGEST_LINE = 5000
"""Characters of a line of text that a page shows."""


@dataclass(frozen=True)
class PageLink:
    """A page of a site, as the others name it."""

    title: str
    address: str
    current: bool = False


def _shown(value: Any) -> Any:
    """Return what a page shows of a value: text without invisible characters, and not endless."""
    return value if hasattr(value, "__html__") else printable_lines(str(value), LONGEST_LINE)


def page_environment(package: str) -> Environment:
    """Return the templates of a package; they extend `base.html` of this one."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("regressions.coverage")]),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    environment.globals["pages"] = ()  # a page that stands alone
    return environment
