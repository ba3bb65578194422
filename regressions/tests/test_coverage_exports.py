"""Exports of coverage: UCIS XML as its schema and another reader see it, and the HTML page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from covsight.core.xml.xml_reader import XmlReader

from regressions.coverage import ucis_export
from regressions.coverage.html_report import export_html
from regressions.coverage.summary import Summary, summarize
from regressions.coverage.ucis_export import export_ucis, validate_ucis
from regressions.tests.coverage_databases import IDLE, RELU, Bin, database, number_of, run
from verif.coverage.database import BinHits, CoverageDatabase, RunHits
from verif.coverage.errors import CoverageError
from verif.coverage.model import load_model
from verif.coverage.run_identity import RunIdentity

MODEL = load_model()
CROSSED = ("rq_tie", "negative", "2..22")


@pytest.fixture
def summary() -> Summary:
    """Return two runs that count and one that does not."""
    hits: dict[RunIdentity, list[Bin]] = {
        run("test_a[<x>]"): [RELU, CROSSED],
        run("b", 2, "verilator"): [RELU],
        run("c"): [IDLE],
    }
    return summarize(database(hits, failed=[run("c")]), MODEL)


def test_ucis_is_accepted_by_its_schema_and_read_by_another_tool(summary: Summary, tmp_path: Path) -> None:
    path = tmp_path / "coverage.xml"
    export_ucis(summary, path)
    validate_ucis(path.read_text())
    read: Any = XmlReader().read(str(path))
    points = {
        f"{group.getScopeName()}.{point.getScopeName()}": {
            each.getName(): each.getCoverData().data for each in point.coverItems(-1)
        }
        for instance in read.scopes(-1)
        for group in _below(instance)
        for point in group.scopes(-1)
    }
    assert points["fused_relu.relu"] == {"no relu": 0, "a fused relu": 4}
    assert points["rq_tie.sign"] == {"negative": 2, "positive": 0}


def _below(scope: Any) -> list[Any]:
    """Return the covergroup instances anywhere below a scope."""
    found = []
    for child in scope.scopes(-1):
        grandchildren = list(child.scopes(-1))
        if any(list(each.coverItems(-1)) for each in grandchildren):
            found.append(child)
        else:
            found += _below(child)
    return found


def test_ucis_tells_which_runs_hit_a_bin(summary: Summary, tmp_path: Path) -> None:
    path = tmp_path / "coverage.xml"
    export_ucis(summary, path)
    root = ElementTree.parse(path).getroot()
    nodes = {node.get("historyNodeId"): node.get("logicalName") for node in root.iter("historyNodes")}
    assert list(nodes.values()) == ["b, seed 2, verilator", "test_a[<x>], seed 1, icarus"]
    crossed = [bin_ for bin_ in root.iter("crossBin") if bin_.get("name") == "negative, 2..22"]
    assert [bin_.findtext("contents/historyNodeId") for bin_ in crossed] == ["1"]
    assert [[index.text for index in bin_.iter("index")] for bin_ in crossed] == [["0", "1"]]
    (relu,) = [bin_ for bin_ in root.iter("coverpointBin") if bin_.get("name") == "a fused relu"]
    assert [node.text for node in relu.iter("historyNodeId")] == ["0", "1"]


def test_equal_databases_give_equal_ucis(summary: Summary, tmp_path: Path) -> None:
    again = summarize(summary.database.merged(summary.database), MODEL)
    for name, each in (("one", summary), ("other", again)):
        export_ucis(each, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_what_its_schema_does_not_accept_is_refused(summary: Summary, tmp_path: Path) -> None:
    path = tmp_path / "coverage.xml"
    export_ucis(summary, path)
    with pytest.raises(CoverageError, match=r"this is no UCIS XML: .*coverageCount"):
        validate_ucis(path.read_text().replace("coverageCount", "coverageCounts", 1))


def test_only_what_its_schema_accepts_is_written(
    summary: Summary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(text: str) -> None:
        raise CoverageError(f"refused {len(text)} characters")

    monkeypatch.setattr(ucis_export, "validate_ucis", refuse)
    with pytest.raises(CoverageError, match="refused"):
        export_ucis(summary, tmp_path / "coverage.xml")
    assert not list(tmp_path.iterdir())


def test_no_runs_give_no_ucis(tmp_path: Path) -> None:
    empty = summarize(CoverageDatabase(MODEL.fingerprint), MODEL)
    with pytest.raises(CoverageError, match="at least one run that passed"):
        export_ucis(empty, tmp_path / "coverage.xml")


class _Balance(HTMLParser):
    """Sees whether every element is closed where it must be."""

    VOID = ("meta", "link", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        addresses = [value or "" for name, value in attrs if name in ("src", "href")]
        assert all(address.startswith("#") for address in addresses), "the page needs nothing beside it"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_is_whole_and_tells_every_item_and_run(summary: Summary, tmp_path: Path) -> None:
    path = tmp_path / "coverage.html"
    export_html(summary, path)
    page = _Balance()
    page.feed(path.read_text())
    assert page.open == []
    text = " ".join(" ".join(page.text).split())
    for item in MODEL:
        assert item.name in text
        assert item.description in text
    assert "test_a[<x>]" in text
    assert "its test failed" in text
    assert "a product with no relu" in text
    cells = re.findall(r'class="(hit|missing|impossible)"', path.read_text())
    assert cells.count("hit") == 2
    assert len(cells) == MODEL.bins
    assert len(cells) - cells.count("impossible") == summary.bins


@pytest.mark.parametrize(
    ("count", "cell", "times"),
    [
        (1, "1", "once"),
        (2, "2", "2 times"),
        (999, "999", "999 times"),
        (1000, "1k", "1,000 times"),
        (999_999, "999k", "999,999 times"),
        (1_000_000, "1M", "1,000,000 times"),
        (2_500_000_000, "2G", "2,500,000,000 times"),
    ],
)
def test_a_cell_shows_how_often_its_bin_was_hit(tmp_path: Path, count: int, cell: str, times: str) -> None:
    hits = RunHits(1, {number_of(*CROSSED): BinHits(count, "p")})
    export_html(
        summarize(CoverageDatabase(MODEL.fingerprint, {run("a"): hits}), MODEL), tmp_path / "page.html"
    )
    (title, shown) = re.findall(
        r'<td class="hit" title="([^"]*)">([^<]*)<', (tmp_path / "page.html").read_text()
    )[0]
    assert shown == cell
    assert title.endswith(f": {times}, first in p of a, seed 1, icarus")
