from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from refmodel.isa.instructions import Load, Softmax
from refmodel.machine.events import CycleSpan
from regressions.tests.conftest import CommandLine
from regressions.tests.timelines import EVERY_UNIT, bundle_of, product
from regressions.timeline.columns import EIGHTHS, Columns, columns_for
from regressions.timeline.text import lane_lines, print_timeline
from regressions.timeline.timeline import Timeline, timeline_of
from sequences.bundle_file import save_bundle
from sequences.golden import GOLDEN_DIRECTORY, golden_names, load_golden

LONG = timeline_of(bundle_of(*[Load(0, 0, 1991)] * 15), "long")
"""Fifteen LD of 2000 busy cycles: 30,032 cycles."""


def text_of(timeline: Timeline, width: int = 100) -> str:
    console = Console(width=width, file=StringIO(), highlight=False)
    print_timeline(timeline, console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def rows_of(text: str) -> list[list[str]]:
    """Return the words of each line, shares without their sign."""
    return [line.replace("%", "").split() for line in text.splitlines()]


def test_the_table_by_unit() -> None:
    text = text_of(timeline_of(EVERY_UNIT, "every unit"))
    assert text.startswith("every unit\n146 cycles, 7 instructions, halts at pc 7\n")
    for row in (
        "fetch, issue all 16 11.0",
        "DMA load LD cyc_dma 1 19 13.0",
        "DMA store ST cyc_dma 1 6 4.1",
        "matrix unit MM cyc_mm 1 23 15.8",
        "requantizer RQ cyc_vec 1 6 4.1",
        "softmax SM cyc_vec 1 59 40.4",
        "vector add VADD cyc_vec 1 10 6.8",
        "argmax AMAX cyc_vec 1 7 4.8",
        "total cyc_total 7 146 100.0",
    ):
        assert row.split() in rows_of(text)


def test_the_table_by_tensor() -> None:
    text = text_of(timeline_of(product(), "y"))
    heads = ("tensor", "cycles", "share", "issue", "LD", "ST", "MM", "RQ")
    rows = rows_of(text)
    table = rows[rows.index(list(heads)) + 2 :]
    assert table[:4] == [
        ["y", "78", "63.4", "8", "8", "54", "8"],
        ["w", "29", "23.6", "2", "27"],
        ["x", "14", "11.4", "2", "12"],
        ["HALT", "2", "1.6", "2"],
    ]
    assert table[5] == ["total", "123", "100.0", "14", "39", "8", "54", "8"]
    assert "no source map" not in text


def test_without_a_source_map_the_table_says_so() -> None:
    assert "no source map" in text_of(timeline_of(EVERY_UNIT, "every unit"))


def test_a_short_program_has_whole_columns_a_cycle() -> None:
    """LD of 8 words is busy for 17 cycles, ST for 10, between FETCH and ISSUE; two columns a cycle fit."""
    lines = [
        line.plain.rstrip() for line in lane_lines(timeline_of(load_golden("fault-after-work"), ""), 100)
    ]
    assert lines == [
        " fetch, issue  ████" + " " * 34 + "████" + " " * 20 + "████",
        " DMA load      " + " " * 4 + "█" * 34,
        " DMA store     " + " " * 42 + "█" * 20,
        " cycle         ┬───────┬─────────┬─────────┬─────────┬─────────┬─────────┬───────",
        "               1       5         10        15        20        25        30",
    ]


def test_a_fault_is_told_with_its_reason() -> None:
    text = text_of(timeline_of(load_golden("fault-after-work"), "K = 0"))
    assert "33 cycles, 2 instructions, faults at pc 2 in cycle 33: K is 0, legal is 1..64\n" in text


@pytest.mark.parametrize("width", [40, 80, 100, 250])
def test_a_long_program_fills_the_width(width: int) -> None:
    front, load, axis, labels = lane_lines(LONG, width)
    assert len(load) == len(axis) == width
    assert len(labels) <= width
    assert set(front.plain[15:]) <= set(" ▁▂")  # 32 of 30,032 cycles
    assert set(load.plain[15:]) <= set("▇█")
    ticks = [int(label.replace(",", "")) for label in labels.plain.split()]
    assert ticks[0] == 1
    assert len(ticks) >= width // 40
    for tick in ticks:
        column = 15 + (tick - 1) * (width - 15) // 30_032
        assert axis.plain[column] == "┬"
        assert labels.plain[column:].startswith(f"{tick:,}")


def test_a_narrow_terminal_cuts_no_number() -> None:
    timeline = timeline_of(bundle_of(*[Load(0, 0, 4095)] * 3, *[Softmax(4000, 0, 64)] * 3), "narrow")
    assert text_of(timeline, 30).split("cyc_total")[0] == text_of(timeline, 100).split("cyc_total")[0]
    assert "12,312" in text_of(timeline, 30)  # LD: 4095 + 9, three times
    assert "…" not in text_of(timeline, 30)


def test_a_long_name_is_cut() -> None:
    timeline = timeline_of(product(), "y")
    subject = replace(timeline.works[0].subject, name=30 * "n")
    works = (replace(timeline.works[0], subject=subject), *timeline.works[1:])
    assert f" {23 * 'n'}… " in text_of(replace(timeline, works=works))


def test_a_tiny_terminal_still_gets_lanes() -> None:
    assert len(next(lane_lines(LONG, 1))) == 15 + 20


@st.composite
def spans_in_columns(draw: st.DrawFn) -> tuple[Columns, list[CycleSpan]]:
    cycles = draw(st.integers(1, 60))
    bounds = sorted(draw(st.sets(st.integers(1, cycles + 1), max_size=12)))
    pairs = zip(bounds[::2], bounds[1::2], strict=False)
    return Columns(cycles, draw(st.integers(1, 80))), [CycleSpan(first, end - 1) for first, end in pairs]


@given(spans_in_columns())
def test_a_column_is_as_full_as_its_time_is_busy(drawn: tuple[Columns, list[CycleSpan]]) -> None:
    columns, spans = drawn
    text = columns.eighths(spans)
    assert len(text) == columns.count
    size = Fraction(columns.cycles, columns.count)
    for number, character in enumerate(text):
        begin, end = number * size, (number + 1) * size
        parts = [min(end, Fraction(span.last)) - max(begin, Fraction(span.first - 1)) for span in spans]
        busy = sum(part for part in parts if part > 0)
        level = EIGHTHS.index(character)
        assert (level == 0) == (busy == 0)
        assert (level == 8) == (busy == size)
        if 1 < level < 7:
            assert abs(busy / size - Fraction(level, 8)) <= Fraction(1, 16)


@given(st.integers(1, 10**8), st.integers(20, 300))
def test_labels_of_the_axis_never_touch(cycles: int, width: int) -> None:
    columns = columns_for(cycles, width)
    assert 1 <= columns.count <= max(width, 1)
    ends = -1
    for tick in columns.ticks():
        assert 1 <= tick <= cycles
        assert columns.column_of(tick) > ends
        ends = columns.column_of(tick) + len(f"{tick:,}")
    assert cycles < 4 or ends <= width


@pytest.mark.parametrize("name", golden_names())
def test_golden_bundles_are_shown_within_100_columns(name: str, command_line: CommandLine) -> None:
    outcome = command_line("timeline", GOLDEN_DIRECTORY / f"{name}.json")
    assert (outcome.status, outcome.error) == (0, "")
    lines = outcome.output.splitlines()
    notes = 2  # as long as they are
    assert max(map(len, lines[notes:])) <= 100
    expect = load_golden(name).expect
    assert expect is not None
    assert f"{expect.counters.cyc_total:,} cycle" in lines[1]


def test_json_says_what_the_tables_say(command_line: CommandLine, tmp_path: Path) -> None:
    save_bundle(tmp_path / "bundle.json", product())
    assert command_line("timeline", tmp_path / "bundle.json", "--json", tmp_path / "out.json").status == 0
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["title"] == "bundle.json"
    assert document["end"] == {"kind": "halt", "pc": 6, "cycle": 123, "fault": None}
    assert document["counters"]["cyc_total"] == 123
    assert document["has_source_map"] is True
    assert [unit["cycles"] for unit in document["units"]] == [14, 39, 8, 54, 8, 0, 0, 0]
    assert document["units"][1] == {
        "unit": "load",
        "operation": "LD",
        "counter": "cyc_dma",
        "instructions": 2,
        "cycles": 39,
    }
    assert document["subjects"][0] == {
        "kind": "tensor",
        "name": "y",
        "instructions": 4,
        "cycles": 78,
        "by_unit": {"front": 8, "matrix": 54, "requantizer": 8, "store": 8},
    }
    assert document["instructions"][1] == {
        "pc": 1,
        "instruction": document["instructions"][1]["instruction"],
        "unit": "load",
        "subject": "w",
        "fetch_cycle": 15,
        "first_busy_cycle": 17,
        "last_busy_cycle": 43,
    }
    assert document["instructions"][1]["instruction"].startswith("LD ")


def test_brackets_in_a_note_are_no_markup(command_line: CommandLine, tmp_path: Path) -> None:
    save_bundle(tmp_path / "bundle.json", replace(EVERY_UNIT, note="[bold]scores[row 2][/x]"))
    outcome = command_line("timeline", tmp_path / "bundle.json")
    assert outcome.output.splitlines()[0] == "[bold]scores[row 2][/x]"
