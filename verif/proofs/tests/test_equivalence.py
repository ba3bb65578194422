"""What the solver says of changed files: equivalent ones, different ones, and ones that it cannot judge."""

from __future__ import annotations

import pytest

from verif.proofs.equivalence import RTL, Equivalence, EquivalenceResult, equivalent


def changed(file: str, before: str, after: str, seconds: float = 60.0) -> EquivalenceResult:
    text = (RTL / file).read_text(encoding="utf-8")
    assert text.count(before) == 1
    return equivalent(file, text.replace(before, after), seconds)


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("ga2_softmax.sv", "$signed(read_data_i[7:0]) > top_q", "$signed(read_data_i[7:0]) >= top_q"),
        ("ga2_scratchpad.sv", "if (read_i)", "if (read_i || (read_i && write_i))"),
        ("ga2.sv", "assign any_done = |done;", "assign any_done = done != 7'd0;"),
    ],
)
def test_equivalent_changes_are_proved(file: str, before: str, after: str) -> None:
    assert changed(file, before, after).verdict is Equivalence.PROVED


@pytest.mark.parametrize(
    ("file", "before", "after", "detail"),
    [
        ("ga2_scratchpad.sv", "if (read_i)", "if (read_i || write_i)", "read_data_o.D"),
        ("ga2_scratchpad.sv", "if (write_i) mem", "if (write_i && !read_i) mem", "mem.WR_EN"),
        ("ga2.sv", "assign any_done = |done;", "assign any_done = |done[7:2];", "u_counters.done_i"),
    ],
)
def test_differences_name_what_differs(file: str, before: str, after: str, detail: str) -> None:
    result = changed(file, before, after)
    assert (result.verdict, result.detail) == (Equivalence.DIFFERENT, detail)


def test_broken_text_is_not_proven() -> None:
    result = changed("ga2_counters.sv", "if (running_i) begin", "if (running_i begin")
    assert result.verdict is Equivalence.UNKNOWN
    assert "syntax error" in result.detail


def test_a_time_out_is_not_proven() -> None:
    result = equivalent("ga2_exp_table.sv", (RTL / "ga2_exp_table.sv").read_text(encoding="utf-8"), 0.001)
    assert (result.verdict, result.detail) == (Equivalence.UNKNOWN, "out of time")
