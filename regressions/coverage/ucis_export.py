"""Coverage as UCIS XML (Accellera UCIS 1.0), which other coverage tools read.

An item of one dimension is a coverpoint; one of several is a cross of coverpoints, whose own counts are sums
over the cross. Every run is a history node; the nodes of a bin are the runs that hit it, the first one first.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from lxml import etree

from regressions.coverage.summary import ItemSummary, Summary
from sequences.whole_file import write_text
from verif.coverage.errors import CoverageError

SCHEMA = files("covsight.core").joinpath("schema", "ucis.xsd")
"""UCIS 1.0's own schema, as that package ships it."""

NEVER = "1970-01-01T00:00:00"
"""Every date: equal databases give equal files, so when a run took place is not told."""

WRITER = "ga2-verification"


def export_ucis(summary: Summary, path: Path) -> None:
    """Write a UCIS XML file that its schema accepts. Raises CoverageError when there is nothing to export."""
    if not summary.database.counting:
        raise CoverageError(f"{path}: UCIS XML needs at least one run that passed; collect coverage first")
    text = ElementTree.tostring(_document(summary), encoding="unicode", xml_declaration=False)
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'
    validate_ucis(text)
    write_text(path, text)


def validate_ucis(text: str) -> None:
    """Raise CoverageError unless UCIS's schema accepts the document."""
    with SCHEMA.open("rb") as file:
        schema = etree.XMLSchema(etree.parse(file))
    if not schema.validate(etree.fromstring(text.encode())):
        raise CoverageError(f"this is no UCIS XML: {schema.error_log[0]}")


def _document(summary: Summary) -> Element:
    root = Element("UCIS", ucisVersion="1.0", writtenBy=WRITER, writtenTime=NEVER)
    families = list(summary.by_family())
    for number, family in enumerate(families, start=1):
        SubElement(root, "sourceFiles", fileName=f"verif/coverage/definitions/{family}.toml", id=str(number))
    nodes = _history(root, summary)
    instance = SubElement(root, "instanceCoverages", name="ga2", key="0", moduleName="ga2")
    SubElement(instance, "id", file="1", line="1", inlineCount="1")
    covergroups = SubElement(instance, "covergroupCoverage")
    for each in summary.items:
        _covergroup(covergroups, each, families.index(each.item.family) + 1, nodes)
    return root


def _history(root: Element, summary: Summary) -> dict[int, list[int]]:
    """Add a node for every run; return the nodes of every bin that was hit."""
    nodes: dict[int, list[int]] = {}
    for number, run in enumerate(summary.database.counting):
        SubElement(
            root,
            "historyNodes",
            historyNodeId=str(number),
            logicalName=str(run),
            physicalName=run.test,
            kind="TEST",
            testStatus="true",
            seed=str(run.seed),
            date=NEVER,
            toolCategory="UCIS:Simulator",
            ucisVersion="1.0",
            vendorId=run.simulator,
            vendorTool=run.simulator,
            vendorToolVersion=run.build[:16] or "unknown",
        )
        for bin_number in summary.database.passed[run].bins:
            nodes.setdefault(bin_number, []).append(number)
    return nodes


def _covergroup(parent: Element, each: ItemSummary, file: int, nodes: dict[int, list[int]]) -> None:
    item = each.item
    group = SubElement(parent, "cgInstance", name=item.name, key="0")
    SubElement(group, "options", comment=item.description, goal=f"{item.goal:.0f}")
    identity = SubElement(group, "cgId", cgName=item.name, moduleName="ga2")
    for name in ("cginstSourceId", "cgSourceId"):
        SubElement(identity, name, file=str(file), line="1", inlineCount="1")
    crossed = len(item.dimensions) > 1
    for axis, dimension in enumerate(item.dimensions):
        point = SubElement(group, "coverpoint", name=dimension.name, key="0")
        SubElement(point, "options")
        others = tuple(other for other in range(len(item.dimensions)) if other != axis)
        counts = each.counts.sum(axis=others).tolist()
        for number, (name, bounds) in enumerate(zip(dimension.bins, dimension.bounds, strict=True)):
            bin_ = SubElement(point, "coverpointBin", name=name, type="bins", key="0")
            low, high = map(str, bounds)
            contents = SubElement(bin_, "range", {"from": low, "to": high})
            _contents(contents, counts[number], [] if crossed else nodes.get(item.first + number, []))
    if crossed:
        _cross(group, each, nodes)


def _cross(group: Element, each: ItemSummary, nodes: dict[int, list[int]]) -> None:
    item = each.item
    names = [dimension.name for dimension in item.dimensions]
    cross = SubElement(group, "cross", name=" x ".join(names), key="0")
    SubElement(cross, "options")
    for name in names:
        SubElement(cross, "crossExpr").text = name
    for number, indices, count in _crossed_bins(each):
        bin_ = SubElement(cross, "crossBin", name=", ".join(item.bin_names(number)), key="0")
        for index in indices:
            SubElement(bin_, "index").text = str(index)
        _contents(bin_, count, nodes.get(item.first + number, []))


def _crossed_bins(each: ItemSummary) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """Yield number, indices and count of every bin; impossible combinations are no bins."""
    flat = each.counts.ravel()
    for number in each.item.bin_numbers():
        yield number, each.item.indices_of(number), int(flat[number])


def _contents(parent: Element, count: int, nodes: list[int]) -> None:
    contents = SubElement(parent, "contents", coverageCount=str(count))
    for node in nodes:
        SubElement(contents, "historyNodeId").text = str(node)
