"""Labels and texts of reports."""

from __future__ import annotations

from refmodel.machine.report_lines import COLUMNS, labelled


def test_a_text_has_a_column_of_its_own() -> None:
    lines = labelled("found", "word " * 30)
    assert lines[0].startswith("  found        word")
    assert lines[1].startswith(" " * 15 + "word")
    assert max(map(len, lines)) <= COLUMNS


def test_a_long_label_does_not_run_into_its_text() -> None:
    assert labelled("scratchpad_write", "none") == ["  scratchpad_write none"]
    assert labelled("exactly as it", "is") == ["  exactly as it is"]
    assert labelled("", "nothing before", 0) == ["  nothing before"]
