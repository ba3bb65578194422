"""The pages of a night as files: whole or not there, what they say, and where they lead."""

from __future__ import annotations

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from html import escape, unescape
from pathlib import Path
from threading import Barrier
from time import sleep
from urllib.parse import unquote

import pytest

from regressions.history.recording import record_nights
from regressions.history.tests.made_up import made_job, made_night, write_night
from regressions.report import writing
from regressions.report.pages import PAGES
from regressions.report.site import MARK, SiteError, new_site
from regressions.report.tests.made_site import PICTURE, edited
from regressions.report.writing import write_report
from verif.coverage.model import load_model
from verif.shell_line import command_line


def text(page: Path) -> str:
    """Return what a page says, without its elements."""
    body = page.read_text(encoding="utf-8").partition("</nav>")[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def anchors(page: Path) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', page.read_text(encoding="utf-8")))


def test_every_link_leads_to_a_page_or_an_anchor_of_this_site(site: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(site, moved)
    followed = 0
    for page in moved.glob("*.html"):
        for address in re.findall(r'(?:href|src)="([^"]+)"', page.read_text(encoding="utf-8")):
            path, _, anchor = unquote(unescape(address)).partition("#")
            assert "//" not in path
            target = moved / path if path else page
            assert target.is_file(), f"{page.name}: {address}"
            assert not anchor or anchor in anchors(target), f"{page.name}: {address}"
            followed += 1
    assert followed > 100


def test_the_first_page_tells_the_night(site: Path) -> None:
    told = text(site / "index.html")
    assert told.startswith("✗ NOT good coverage: 900 of 1,000 bins ( make close checks the goals)")
    assert "nightly-20270103T020000-made: list nightly, 2027-01-03 02:00" in told
    assert "2 jobs failed: something differs from the model" in told
    assert "1 without a result, later-000-icarus first" in told
    assert "First thing to do. What fails was there before." in told
    assert (
        "known data, matrix, MM, q 2 jobs on icarus; first bad-000-icarus, seed 1. Since 2027-01-02" in told
    )
    assert "new killed, matrix, MM, it was killed , 1 job" in told
    assert "unseen hang, matrix, MM, 1 job the night before" in told
    assert "shrunk to 1 instruction: RQ 0 0 1 1 1 0" in told
    assert "90 % of 2 cores busy" in told
    assert "commit 03" in told
    assert " && .venv/bin/python -m regressions nightly nightly --seed 77)" in told
    assert (site / "pictures/failure-1.png").read_bytes() == PICTURE


@pytest.mark.usefixtures("_no_model")
def test_a_good_part_of_a_list_is_amber_and_leads_to_the_whole(tmp_path: Path) -> None:
    part = {"filtered": True, "part": "tag standing", "listed": 56}
    night = write_night(tmp_path, made_night("n", 3, [made_job("t-0")], **part))
    record_nights(tmp_path / "history.sqlite", [night])
    site = write_report(night, tmp_path / "history.sqlite", tmp_path / "out").parent
    page = (site / "index.html").read_text(encoding="utf-8")
    assert "<title>Good: 1 of 56 jobs (tag standing): n</title>" in page
    assert '<div class="verdict part">' in page
    assert "<h1>Good: 1 of 56 jobs (tag standing)</h1>" in page
    assert f"Run the whole list: {command_line('nightly', 'nightly')}" in text(site / "index.html")
    assert '<li class="part" title="2027-01-03 02:00: good (a part of its list)">' in (
        site / "trends.html"
    ).read_text(encoding="utf-8")


@pytest.mark.usefixtures("_no_model")
def test_a_dirty_commit_a_part_of_a_list_and_another_chip_are_told(night: Path, tmp_path: Path) -> None:
    edited(night, commit="c0ffee0-dirty", filtered=True, chip={"RTL": "a b.sv"})
    told = text(write_report(night, tmp_path / "none.sqlite", tmp_path / "out"))
    assert "c0ffee0 dirty: with changes beyond it" in told
    again = command_line("nightly", "nightly", "--seed", 77, settings={"RTL": "a b.sv"})
    assert again.replace(" && ", " && git checkout c0ffee0 && ", 1) in told
    assert "The working tree had changes beyond this commit" in told
    assert "add the filters (--only, --tag, --sim)" in told
    assert f"there is no history in {tmp_path}/none.sqlite" in told


def test_jobs_stand_by_time_with_what_runs_them_alone(site: Path) -> None:
    page = (site / "jobs.html").read_text(encoding="utf-8")
    names = re.findall(r'<th scope="row">([^<]+)</th>', page)
    assert names[:2] == ["good-001-verilator", "good-000-icarus"]
    assert len(names) == 6
    command = command_line("nightly", "nightly", "--seed", 77, "--only", "JOB")
    assert f"<code>{escape(command)}</code>" in page
    assert "word 3 &lt;b&gt;differs&lt;/b&gt;" in page, "what a job says is no HTML"
    assert '<a href="index.html#failure-1">word 3' in page


def test_holes_lead_to_their_bins(site: Path) -> None:
    page = (site / "coverage.html").read_text(encoding="utf-8")
    assert '<a href="bins.html#fused_relu-hole-1">' in page
    bins = (site / "bins.html").read_text(encoding="utf-8")
    assert '<li id="fused_relu-hole-1">' in bins
    told = text(site / "coverage.html")
    assert f"2 of {sum(item.bins for item in load_model()):,} bins" in told
    assert "Nothing was hit of compiled_instruction" in told
    assert "This night counted none: jobs of build coverage do" in told


@pytest.mark.usefixtures("_no_model")
def test_without_coverage_there_is_no_page_of_bins(night: Path, tmp_path: Path) -> None:
    shutil.rmtree(night / "coverage")
    site = write_report(night, tmp_path / "history.sqlite", tmp_path / "out").parent
    assert not (site / "bins.html").exists()
    assert "bins.html" not in "".join(page.read_text() for page in site.glob("*.html"))
    assert "No job of this night that passed left coverage." in text(site / "coverage.html")


@pytest.mark.usefixtures("_no_model")
def test_coverage_of_other_definitions_costs_only_its_part(night: Path, tmp_path: Path) -> None:
    database = night / "coverage/x.json"
    database.write_text(database.read_text().replace('"definitions":"', '"definitions":"0'), encoding="utf-8")
    site = write_report(night, tmp_path / "history.sqlite", tmp_path / "out").parent
    assert "It cannot be shown:" in text(site / "coverage.html")
    assert "was collected under other definitions" in text(site / "coverage.html")
    assert "NOT good" in text(site / "index.html")


def test_a_night_that_ran_none_of_the_standing_workloads_says_so(site: Path) -> None:
    told = text(site / "workloads.html")
    assert "This night ran none of the standing workloads" in told
    assert "all 99 published figures among them are reproduced" in told
    assert "structured, k = 3, noise 0 20 of 24 800 1.25 × 400 200 100 100" in told
    assert "tokens equal the plain ones in 24 of 25" in told
    assert "1.70 × ≠ 14 %" not in told
    assert "1.30 × ≠ 14 %" in told


def test_trends_have_a_row_a_night(site: Path) -> None:
    page = (site / "trends.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 4, "coverage, time, and the throughput of two builds"
    assert len(re.findall(r'<th scope="row" class="name">', page)) == 2
    told = text(site / "trends.html")
    assert "The last 2 nights of list nightly on this RTL, up to this one." in told
    assert "These nights ran no standing workload." in told


@pytest.mark.usefixtures("_no_model")
def test_trends_of_one_night_and_of_standing_workloads(tmp_path: Path) -> None:
    night = write_night(tmp_path, made_night("n", 1, [made_job("decode", tags=["standing"])]))
    record_nights(tmp_path / "history.sqlite", [night])
    told = text(write_report(night, tmp_path / "history.sqlite").with_name("trends.html"))
    assert "This is the first night of list nightly on this RTL." in told
    assert "No cycle count of a standing workload changed." in told


@pytest.mark.usefixtures("_no_model")
def test_jobs_without_a_result_are_neither_slow_nor_good(tmp_path: Path) -> None:
    jobs = [made_job("there"), made_job("left", None, seconds=0.0, reason="")]
    night = made_night("n", 1, jobs, missing=["left"], statuses={"passed": 1}, good=False)
    path = write_night(tmp_path, night)
    record_nights(tmp_path / "history.sqlite", [path])
    told = text(write_report(path, tmp_path / "history.sqlite"))
    assert "No job that has a result fails." in told
    slowest = told.partition("Slowest jobs")[2].partition("Environment")[0]
    assert "there" in slowest
    assert "left" not in slowest


@pytest.mark.usefixtures("_no_model")
def test_machines_are_numbers_in_trends_and_named_once(night: Path, tmp_path: Path) -> None:
    far = made_night("far", 1, [made_job("good-000-icarus", machine="A <far> machine of a very long name")])
    record_nights(tmp_path / "history.sqlite", [write_night(tmp_path, far)])
    page = write_report(night, tmp_path / "history.sqlite").with_name("trends.html")
    told = text(page)
    assert "1 is A <far> machine of a very long name; 2 is here." in told
    assert "1,000 on 1" in told
    assert "1,000 on 2" in told
    assert told.count("machine of a very long name") == 1
    for number in (1, 2):
        assert f"machine {number}" in page.read_text(encoding="utf-8"), "of the legend"


@pytest.mark.usefixtures("_no_model")
def test_the_same_night_gives_the_same_pages(night: Path, tmp_path: Path) -> None:
    history = tmp_path / "history.sqlite"
    one, other = (write_report(night, history, tmp_path / name).parent for name in ("one", "other"))
    files = sorted(path.relative_to(one) for path in one.rglob("*"))
    assert files == sorted(path.relative_to(other) for path in other.rglob("*"))
    assert {*map(str, files)} >= {*PAGES, MARK}
    assert all((one / path).read_bytes() == (other / path).read_bytes() for path in files if path.suffix)


def test_a_report_takes_the_place_of_an_older_one_and_of_nothing_else(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for name in ("old.html", "new.html"):
        with new_site(site) as made:
            (made / name).touch()
    assert sorted(path.name for path in site.iterdir()) == [MARK, "new.html"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").touch()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(site)
    for place, message in (
        (other, "holds something else than a report"),
        (tmp_path / "file", "is no directory"),
        (tmp_path / "link", "is no directory"),
        (tmp_path / "none/out", "there is no directory"),
        (tmp_path / "file/out", "there is no directory"),
    ):
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises(SiteError, match=message), new_site(place):
            pytest.fail("it must be refused before anything is made")
        assert sorted(tmp_path.rglob("*")) == before


def test_a_report_goes_to_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with new_site(Path()) as made:
        (made / "index.html").touch()
    assert [path.name for path in tmp_path.iterdir()] == ["here"]
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == [MARK, "index.html"]


def test_of_two_reports_at_once_the_later_one_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both_done, rename = Barrier(2), Path.rename

    def slow_rename(path: Path, target: Path) -> Path:
        sleep(0.02)  # so that the other one is in between, if it can be
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", slow_rename)

    def write(name: str) -> None:
        with new_site(tmp_path / "site") as made:
            (made / name).touch()
            both_done.wait(10)

    for _ in range(5):
        with ThreadPoolExecutor() as pool:
            list(pool.map(write, ("one", "other")))
        assert [path.name for path in tmp_path.iterdir()] == ["site"]
        assert len(list((tmp_path / "site").iterdir())) == 2


def test_an_interrupt_while_the_older_report_makes_room_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_site(tmp_path / "site") as made:
        (made / "older.html").touch()
    rename = Path.rename

    def interrupted(path: Path, target: Path) -> Path:
        if path.name == "new":
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt), new_site(tmp_path / "site"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    assert (tmp_path / "site/older.html").is_file()


@pytest.mark.usefixtures("_no_model")
def test_what_goes_wrong_half_way_leaves_the_older_report(
    night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_site(night / "report") as older:
        (older / "index.html").write_text("older", encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    written: list[Path] = []

    def full(_: object, path: Path, *__: object) -> None:
        written.extend(path.parent.iterdir())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "export_html", full)
    with pytest.raises(SiteError, match="cannot be written: No space left on device"):
        write_report(night, tmp_path / "history.sqlite")
    assert len(written) > 3, "it was half-way"
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert sorted(path.name for path in night.iterdir() if path.name.startswith(".")) == []
