"""A headless Chromium for tests of pages, Debian's own: nothing is downloaded, nothing asks the network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, sync_playwright

CHROMIUM = shutil.which("chromium")

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None,
    reason="Chromium is not installed (Debian: chromium)",
)

Scheme = Literal["light", "dark"]

WINDOWS: tuple[tuple[Scheme, int], ...] = (("light", 1200), ("dark", 390))
"""In which every page is tried: colours, and pixels across."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: Browser, path: Path, scheme: Scheme = "light", width: int = 1200, script: bool = True
) -> Iterator[Page]:
    """Open a file; when the body ends, fail if the page complained, or asked for what is not there."""
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}, java_script_enabled=script
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on("requestfailed", lambda request: complaints.append(f"failed: {request.url}"))
    page.on("request", lambda request: complaints.extend(_outside(request)))
    page.goto(path.as_uri())
    yield page
    context.close()
    assert complaints == []


def _outside(request: Request) -> list[str]:
    """Return what is asked for, if it is no file."""
    return [] if request.url.startswith("file:") else [f"request: {request.url}"]


def barriers(page: Page) -> list[str]:
    """Return what keeps people from using a page, as axe finds it, all of its folded parts open."""
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"][:3]]


def widest(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


def cut_tables(page: Page) -> list[str]:
    """Return what of a page must be scrolled within its frame to be seen whole."""
    found: list[str] = page.evaluate(
        "Array.from(document.querySelectorAll('.card')).filter(each => each.scrollWidth > each.clientWidth)"
        ".map(each => each.ariaLabel)"
    )
    return found
