"""Where the templates of HTML pages are found, and what all of them share."""

from __future__ import annotations

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from regressions.coverage.text_report import percent


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
    return environment
