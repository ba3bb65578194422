"""The pages of coverage and of closure in Chromium, all of their folded parts open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from regressions.closing.html_report import export_html as export_closure
from regressions.coverage.html_report import export_html
from regressions.coverage.summary import summarize
from regressions.report.tests.browser import WINDOWS, barriers, chromium, needs_chromium, opened, widest
from regressions.tests.coverage_databases import RELU, database, run
from regressions.tests.fake_campaign import ALL
from regressions.tests.test_closing_report import SHIFTS, closed, feature, outcome
from verif.coverage.model import load_model

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def require_usable(browser: Browser, page: Path) -> None:
    for scheme, width in WINDOWS:
        with opened(browser, page, scheme, width) as shown:
            assert barriers(shown) == []
            assert widest(shown) <= 0
            links = shown.locator("a[href^='#']").evaluate_all(
                "all => all.filter(each => !document.querySelector(each.getAttribute('href'))).length"
            )
            assert links == 0


def test_the_page_of_coverage(browser: Browser, tmp_path: Path) -> None:
    model = load_model()
    mixed = database({run("one"): [RELU]}, failed=[run("two")])
    export_html(summarize(mixed, model), tmp_path / "coverage.html")
    require_usable(browser, tmp_path / "coverage.html")


def test_the_page_of_closure(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, summary = closed(tmp_path, monkeypatch, ALL - {SHIFTS[1]}, promised=frozenset())
    found = outcome(campaign, summary, monkeypatch, feature("reset", "covered"))
    export_closure(found, tmp_path / "report.html", {})
    require_usable(browser, tmp_path / "report.html")
