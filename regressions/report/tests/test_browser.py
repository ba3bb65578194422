"""The pages of a night in Chromium: no complaint, in light and dark, by mouse, keyboard and screen reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from regressions.report.pages import PAGES
from regressions.report.tests.browser import (
    WINDOWS,
    barriers,
    chromium,
    cut_tables,
    needs_chromium,
    opened,
    widest,
)
from regressions.report.tests.made_site import PICTURE
from verif.shell_line import command_line

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def names(page: Page) -> list[str]:
    return page.locator("#jobs tbody tr th").all_inner_texts()


def header(page: Page, name: str) -> str | None:
    return page.locator("#jobs thead th", has_text=name).get_attribute("aria-sort")


@pytest.mark.parametrize(
    "address",
    [pytest.param(page, marks=pytest.mark.slow) if page == "bins.html" else page for page in PAGES],
)
def test_a_page_works_in_light_and_dark_and_in_a_narrow_window(
    browser: Browser, site: Path, address: str
) -> None:
    grounds = []
    for scheme, width in WINDOWS:
        with opened(browser, site / address, scheme, width) as page:
            assert barriers(page) == []
            assert widest(page) <= 0
            assert width < 1200 or cut_tables(page) == []
            grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            assert page.locator("nav [aria-current=page]").inner_text() == PAGES[address]
    assert grounds == ["rgb(244, 246, 249)", "rgb(20, 24, 31)"]


def test_charts_take_the_colours_of_the_page(browser: Browser, site: Path) -> None:
    inks = []
    for scheme, _ in WINDOWS:
        with opened(browser, site / "workloads.html", scheme) as page:
            inks.append(page.evaluate("getComputedStyle(document.querySelector('svg text')).fill"))
    assert inks == ["rgb(86, 96, 114)", "rgb(163, 173, 189)"]


def test_the_keyboard_reaches_the_content_and_every_page(browser: Browser, site: Path) -> None:
    with opened(browser, site / "index.html") as page:
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        assert page.locator(".skip").bounding_box()["y"] >= 0  # type: ignore[index]
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.locator("main a, main button").first).to_be_focused()
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        page.locator("nav a", has_text="Jobs").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/jobs.html")


def test_pictures_are_there_and_told_in_words(browser: Browser, site: Path) -> None:
    assert (site / "pictures/failure-1.png").read_bytes() == PICTURE
    with opened(browser, site / "index.html") as page:
        picture = page.locator("#failure-1 img")
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("naturalWidth", 1)
        assert "Waves of bad-000-icarus round its first divergence" in (picture.get_attribute("alt") or "")


def test_a_command_is_copied(browser: Browser, site: Path) -> None:
    with opened(browser, site / "index.html") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.locator("#failure-1 .command button").click()
        expect(page.locator("#failure-1 .command button")).to_have_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == command_line("reproduce", "x")


def test_jobs_are_filtered_by_text_status_and_simulator(browser: Browser, site: Path) -> None:
    with opened(browser, site / "jobs.html") as page:
        assert len(names(page)) == 6
        page.get_by_label("text").fill("BAD differs")
        assert names(page) == ["bad-000-icarus"]
        expect(page.locator("output")).to_have_text("1 of 6 jobs")
        page.get_by_label("text").fill("fast")
        assert names(page) == ["good-000-icarus"], "by its tag"
        page.get_by_role("button", name="Show all").click()
        expect(page.locator("output")).to_have_text("6 of 6 jobs")
        page.get_by_label("status").select_option("failed")
        assert sorted(names(page)) == ["bad-000-icarus", "bad-001-icarus"]
        page.get_by_label("status").select_option("no result")
        assert names(page) == ["later-000-icarus"]
        page.get_by_label("status").select_option("")
        page.get_by_label("simulator").select_option("verilator")
        assert names(page) == ["good-001-verilator"]
        page.get_by_label("text").fill("nothing of the kind")
        assert names(page) == []


def test_jobs_are_sorted_by_mouse_and_by_keyboard(browser: Browser, site: Path) -> None:
    with opened(browser, site / "jobs.html") as page:
        assert header(page, "seconds") == "descending"
        by_time = names(page)
        assert by_time[0] == "good-001-verilator"
        page.get_by_role("button", name="seconds").click()
        assert header(page, "seconds") == "ascending"
        assert names(page)[0] == "later-000-icarus", "which has none"
        assert names(page)[-1] == "good-001-verilator"
        page.get_by_role("button", name="job", exact=True).focus()
        page.keyboard.press("Enter")
        assert header(page, "job") == "ascending"
        assert header(page, "seconds") == "none"
        assert names(page) == sorted(by_time)
        page.keyboard.press("Space")
        assert header(page, "job") == "descending"
        assert names(page) == sorted(by_time, reverse=True)
        page.get_by_role("button", name="seed", exact=True).click()
        assert names(page)[:2] == ["bad-001-icarus", "bad-000-icarus"]


def test_a_job_is_copied_as_a_whole_command(browser: Browser, site: Path) -> None:
    with opened(browser, site / "jobs.html") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy the command that runs bad-000-icarus alone").click()
        page.wait_for_function("document.activeElement.textContent == 'Copied'")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == command_line("nightly", "nightly", "--seed", 77, "--only", "bad-000-icarus")


def test_without_a_clipboard_the_command_of_a_job_is_shown_and_selected(browser: Browser, site: Path) -> None:
    with opened(browser, site / "jobs.html") as page:
        page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject())")
        page.get_by_role("button", name="Copy the command that runs bad-000-icarus alone").click()
        page.wait_for_function("document.activeElement.textContent == 'Selected'")
        command = command_line("nightly", "nightly", "--seed", 77, "--only", "bad-000-icarus")
        assert page.evaluate("getSelection().toString()") == command


def test_without_scripts_only_the_filters_are_gone(browser: Browser, site: Path) -> None:
    with opened(browser, site / "jobs.html", script=False) as page:
        assert len(names(page)) == 6
        assert page.locator("form.filters").is_hidden()
        assert page.locator("button:visible").count() == 0
        expect(page.locator("#jobs thead th").last).to_be_hidden()
    with opened(browser, site / "index.html", script=False) as page:
        assert page.locator("#failure-1 .command code").inner_text() == command_line("reproduce", "x")


def test_a_hole_opens_its_item(browser: Browser, site: Path) -> None:
    with opened(browser, site / "coverage.html") as page:
        page.locator(".hole-list a").first.click()
        page.wait_for_url("**/bins.html#*")
        target = page.locator(":target")
        expect(target).to_be_visible()
        expect(target.locator("xpath=ancestor::details")).to_have_attribute("open", "")
