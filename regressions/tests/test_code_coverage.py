"""`code-coverage`: the table, the sum of files, LCOV and HTML, and what cannot be read."""

import os
import re
from pathlib import Path

import pytest

from regressions.code_coverage import files
from regressions.commands import code_coverage
from regressions.tests.conftest import CommandLine
from verif.code_coverage.counts import read_counts
from verif.code_coverage.tests.coverage_files import counts_file, exclusion, source
from verif.simulation.plain_path import REPOSITORY


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory with the source that the files are about, and no exclusions."""
    monkeypatch.setattr(code_coverage, "REPOSITORY", tmp_path)
    monkeypatch.setattr(code_coverage, "load_exclusions", list)
    return source(tmp_path)


def rows(output: str) -> dict[str, list[str]]:
    lines = [line.split() for line in output.splitlines() if line.strip()]
    return {line[0]: line[1:] for line in lines}


def test_a_good_report(root: Path, command_line: CommandLine) -> None:
    outcome = command_line("code-coverage", "report", counts_file(root / "a.dat"))
    assert (outcome.status, outcome.error) == (0, "")
    assert rows(outcome.output)["toggle"] == ["4", "4", "100.0", "0", "100.0", "99", "✓"]


def test_what_two_files_reach_together(root: Path, command_line: CommandLine) -> None:
    first = counts_file(root / "a.dat", 1, 1, 0)
    second = counts_file(root / "b.dat", 1, 0, 1)
    assert command_line("code-coverage", "report", first).status == 1
    assert command_line("code-coverage", "report", first, second).status == 0
    assert command_line("code-coverage", "merge", root / "sum.dat", second, first).status == 0
    assert sorted(read_counts(root / "sum.dat").values()) == [1, 1, 2, 2, 2, 2, 2, 2, 2]


def test_missed_points_are_named(root: Path, command_line: CommandLine) -> None:
    outcome = command_line("code-coverage", "report", counts_file(root / "a.dat", 1, 1, 0, 1, 1, 1, 0, 0))
    assert outcome.status == 1
    assert rows(outcome.output)["branch"] == ["1", "2", "50.0", "0", "50.0", "100", "✗"]
    assert outcome.output.endswith(
        "3 points were neither reached nor excluded:\n  m.sv:1: 2 toggles of q_o\n  m.sv:2: branch else\n"
    )


def test_lcov_and_html(root: Path, command_line: CommandLine) -> None:
    path = counts_file(root / "a.dat", 7, 3, 0)
    lcov, html = root / "x.info", root / "page" / "index.html"
    html.parent.mkdir()
    assert command_line("code-coverage", "export", path, "--lcov", lcov, "--html", html).status == 0
    text = lcov.read_text(encoding="utf-8")
    assert f"SF:{root / 'm.sv'}\n" in text
    assert "DA:2,7," in text
    assert [line for line in text.splitlines() if line.startswith("BRDA:2,")] == [
        "BRDA:2,0,0,-", "BRDA:2,0,1,3", "BRDA:2,0,2,1", "BRDA:2,0,3,1",
    ]  # fmt: skip
    assert "m.sv" in html.read_text(encoding="utf-8")
    assert len(list(html.parent.glob("index.m.sv.*.html"))) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report", "none.dat"], "none.dat: cannot be read: No such file or directory"),
        (
            ["report", "."],
            f"there is no code coverage; collect some: make -C {REPOSITORY} test CODE_COVERAGE=1",
        ),
        (["export"], "nothing to export: give --lcov, --html, or both"),
        (["merge", "no/such/x.dat"], "no/such"),
    ],
)
def test_bad_input_is_one_line(
    root: Path,
    command_line: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(root)
    outcome = command_line("code-coverage", *arguments)
    assert outcome.status == 2
    assert message in outcome.error
    assert outcome.error.count("\n") == 1


@pytest.mark.parametrize(
    ("points", "toggles", "expected"),
    [
        (r"q_o\[1\]:.*", (1, 1, 0, 0), ["BRDA:1,0,0,1", "BRDA:1,0,1,1", "DA:1,1"]),
        (r"q_o.*", (0, 0, 0, 0), []),  # a line of which nothing is wanted
    ],
)
def test_what_is_excluded_is_not_exported(
    root: Path,
    command_line: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
    points: str,
    toggles: tuple[int, ...],
    expected: list[str],
) -> None:
    excluded = exclusion(points=points)
    monkeypatch.setattr(code_coverage, "load_exclusions", lambda: [excluded])
    lcov, counts = root / "x.info", counts_file(root / "a.dat", 1, 1, 1, 1, *toggles)
    assert command_line("code-coverage", "export", counts, "--lcov", lcov).status == 0
    lines = lcov.read_text(encoding="utf-8").splitlines()
    found = [re.sub(r"^(DA:\d+,\d+).*", r"\1", line) for line in lines]
    assert [line for line in found if line.startswith(("DA:1,", "BRDA:1,"))] == expected


def test_counts_of_rtl_that_was_longer_are_not_exported(root: Path, command_line: CommandLine) -> None:
    path = counts_file(root / "a.dat")
    (root / "m.sv").write_text("module m;\n", encoding="utf-8")
    outcome = command_line("code-coverage", "export", path, "--lcov", root / "x.info")
    assert outcome.status == 2
    assert "m.sv: has 1 lines, and the counts know its line 3: they are of other RTL" in outcome.error
    assert not (root / "x.info").exists()


def test_counts_of_two_builds_are_not_added_up(root: Path, command_line: CommandLine) -> None:
    for number, build in enumerate(("old", "new")):
        (root / "all" / build).mkdir(parents=True)
        counts_file(root / "all" / build / "a.dat")
        os.utime(root / "all" / build, (number, number))
    outcome = command_line("code-coverage", "report", root / "all")
    assert (outcome.status, outcome.output) == (2, "")
    assert f"holds the code coverage of 2 builds; remove what is old, or name the latest, {root}" in (
        outcome.error
    )
    assert outcome.error.endswith("new\n")
    assert command_line("code-coverage", "report", root / "all" / "new").status == 0


def test_nothing_was_collected_yet(
    root: Path, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "COLLECTED", root / "nothing")
    outcome = command_line("code-coverage", "report")
    assert outcome.status == 2
    assert f"collect some: make -C {REPOSITORY} test CODE_COVERAGE=1" in outcome.error
