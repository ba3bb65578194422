"""Percentages and exclusions: each rule that an exclusion can break, and each goal that can be missed."""

from pathlib import Path
from typing import Any

import pytest

from verif.code_coverage.counts import read_counts
from verif.code_coverage.errors import CodeCoverageError
from verif.code_coverage.exclusions import Category, Exclusion, load_exclusions
from verif.code_coverage.point import CodeKind
from verif.code_coverage.score import CodeScore, score
from verif.code_coverage.tests.coverage_files import REASON, counts_file, exclusion, sealed, source


def judged(directory: Path, counts: tuple[int, ...], *exclusions: Exclusion) -> CodeScore:
    return score(read_counts(counts_file(directory / "c.dat", *counts)), list(exclusions), source(directory))


ALL_BUT_Q1 = (1, 1, 1, 1, 1, 1, 0, 0, 1)


def test_everything_reached(tmp_path: Path) -> None:
    result = judged(tmp_path, ())
    assert [(each.kind, each.before, each.after) for each in result.kinds] == [
        (kind, 100.0, 100.0) for kind in CodeKind
    ]
    assert (result.missed, result.shortfalls) == ((), ())


def test_percentages_before_and_after(tmp_path: Path) -> None:
    result = judged(tmp_path, ALL_BUT_Q1, exclusion())
    toggle = result.kinds[3]
    assert (toggle.points, toggle.hit, toggle.excluded) == (4, 2, 2)
    assert (toggle.before, toggle.after, toggle.share_excluded) == (50.0, 100.0, 50.0)
    assert result.missed == ()
    assert result.shortfalls == ("toggle: 50.00 % are excluded, at most 3 % may be",)


def test_missed_goals_are_named(tmp_path: Path) -> None:
    result = judged(tmp_path, (0, 1, 0, 0, 1, 1, 1, 0, 0))
    assert result.shortfalls == (
        "line: 0.00 % after exclusions, 100 % wanted",
        "branch: 50.00 % after exclusions, 100 % wanted",
        "expression: 0.00 % after exclusions, 99 % wanted",
        "toggle: 75.00 % after exclusions, 99 % wanted",
        "fsm: 0.00 % after exclusions, 100 % wanted",
    )
    assert [(point.line, point.what) for point in result.missed] == [
        (1, "q_o[1]:1->0"), (2, "else"), (2, "(q_o==2) => 1"), (2, "block"), (2, "Zero_to_One"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"hash": "0123456789ab"}, "m.sv:1: the line reads differently now: 'module m (input"),
        ({"line": 99}, "m.sv:99: there is no such line"),
        ({"file": "n.sv"}, "n.sv:1: there is no such line"),
        ({"points": "q_o"}, "m.sv:1: no toggle there matches 'q_o'"),
        ({"kind": CodeKind.LINE}, "m.sv:1: no line there matches"),
        ({"points": r"q_o\[0\]:0->1"}, r"m.sv:1: q_o\[0\]:0->1 was reached 1 times; remove it"),
    ],
)
def test_a_wrong_exclusion_is_a_problem_and_excludes_nothing(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    result = judged(tmp_path, ALL_BUT_Q1, exclusion(**changes))
    assert len(result.problems) == 1
    assert problem.replace("\\", "") in result.problems[0]
    assert result.kinds[3].excluded == 0
    assert len(result.missed) == 2
    assert result.problems[0] in result.shortfalls


def test_a_kind_that_nobody_counted_is_a_problem(tmp_path: Path) -> None:
    path = counts_file(tmp_path / "c.dat")
    lines = path.read_text(encoding="utf-8").splitlines()[1:-1]
    sealed(path, [line for line in lines if "v_expr" not in line])
    result = score(read_counts(path), [], source(tmp_path))
    assert result.problems == ("no expression is counted; was the build made for all kinds?",)


ENTRY = f"""
[[exclusions]]
file = "m.sv"
line = 1
hash = "x"
kind = "toggle"
points = 'q.*'
category = "low risk"
reason = "{REASON}"
"""


def test_a_file_of_exclusions(tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    path.write_text(ENTRY, encoding="utf-8")
    assert load_exclusions(path) == [exclusion(hash="x", points="q.*", category=Category.LOW_RISK)]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("line = 1", "line = 0", "exclusions.0.line: Input should be greater"),
        ("line = 1", "", "exclusions.0.line: Field required"),
        ("line = 1", "lime = 1", "exclusions.0.line: Field required"),
        ("hash", "extra = 1\nhash", "exclusions.0.extra: Extra inputs"),
        ('"low risk"', '"boring"', "exclusions.0.category: Input should be 'unreachable'"),
        ('"toggle"', '"fsm"', "exclusions.0.kind"),
        ("'q.*'", "'q('", "exclusions.0.points: 'q\\(' is not a regular expression"),
        (REASON, "no", "exclusions.0.reason"),
        ("[[", "[", "e.toml:2: is not TOML"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, before: str, after: str, message: str) -> None:
    path = tmp_path / "e.toml"
    path.write_text(ENTRY.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(CodeCoverageError, match=message):
        load_exclusions(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CodeCoverageError, match="cannot be read"):
        load_exclusions(tmp_path / "none.toml")


def test_arcs_are_wanted_of_the_project_s_rtl_alone(tmp_path: Path) -> None:
    path = counts_file(tmp_path / "c.dat")
    lines = [line for line in path.read_text(encoding="utf-8").splitlines()[1:-1] if "v_user" not in line]
    sealed(path, lines)
    assert score(read_counts(path), [], source(tmp_path)).problems == ()
    sealed(path, [line.replace("m.sv", "hdl/rtl/m.sv") for line in lines])
    (tmp_path / "hdl" / "rtl").mkdir(parents=True)
    source(tmp_path / "hdl" / "rtl")
    problems = score(read_counts(path), [], tmp_path).problems
    assert problems == ("no fsm is counted; was the build made for all kinds?",)
