"""Where the templates of HTML pages are found, and what all of them share."""

from __future__ import annotations

from dataclasses import dataclass

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from regressions.coverage.text_report import percent


@dataclass(frozen=True)
class PageLink:
    """A page of a site, as the others name it."""

    title: str
    address: str
    current: bool = False


def page_environment(package: str) -> Environment:
    """Return the templates of a package; they extend `base.html` of this one."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("regressions.coverage")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    environment.globals["pages"] = ()  # a page that stands alone
    return environment
