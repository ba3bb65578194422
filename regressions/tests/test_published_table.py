from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from junitparser import JUnitXml
from rich.console import Console
from rich.table import Table

from refmodel.machine.result import Counters
from regressions.junit_report import write_junit
from regressions.published.failures import table_failures
from regressions.published.run import TableResult, run_table
from regressions.published.table import DecodingRow, decoding_rows, program_rows
from regressions.published.view import cases, decoding_table, program_table, summary
from sequences.program_record import ProgramRecord
from verif.loop_outcome import LoopOutcome
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect, Mismatch
from verif.simulation.plain_path import REPOSITORY
from verif.sources import source_digests

WHOLE = Path("out/run/summary.json")

RULE_FROM_0 = (3, 2, 13, 4, 7, 6, 1, 8, 11, 10, 5, 12, 15, 14, 9, 0)

PERFECT = LoopOutcome(
    tokens=2 * RULE_FROM_0,
    accepted=24,
    proposed=24,
    blocks=8,
    programs=32,
    counters=Counters(cyc_total=138_858),
    records=(),
    comparisons=1,
    mismatches=(),
    seconds=1.0,
)

BLOCK = ProgramRecord(
    kind="verifier",
    context=4,
    rows=4,
    choices=(5, 3, 13, 9),
    counters=Counters(12_330, 7_732, 2_856, 1_532, 104),
    operations={"LD": 10, "MM": 56, "RQ": 23, "SM": 4, "ST": 5, "VADD": 2, "AMAX": 4, "HALT": 1},
    words_loaded=2_496,
)


def perfect_draft_row() -> DecodingRow:
    """The structured target with k = 3 and noise 0, under shape scales."""
    return next(row for row in decoding_rows() if not row.plain and row.request.noise == 0)


def test_every_published_decoding_is_a_row() -> None:
    rows = decoding_rows()
    assert len(rows) == 14
    assert sum(row.published["cycles"] for row in rows if row.request.scales == "shape") == 1_464_841
    assert {row.request.target for row in rows if row.plain} == {"structured", "random"}


def test_the_published_outcome_is_good() -> None:
    row = perfect_draft_row().judge(PERFECT, PERFECT)
    assert row.good
    names = [figure.name for figure in row.figures]
    assert names == ["tokens", "accepted", "proposed", "blocks", "programs", "cycles"]


@pytest.mark.parametrize(
    ("wrong", "figure"),
    [
        ({"tokens": (*PERFECT.tokens[:-1], 1)}, "tokens"),
        ({"accepted": 23}, "accepted"),
        ({"proposed": 25}, "proposed"),
        ({"blocks": 9}, "blocks"),
        ({"programs": 33}, "programs"),
        ({"counters": Counters(cyc_total=138_859)}, "cycles"),
    ],
)
def test_one_wrong_figure_makes_the_row_bad(wrong: dict[str, object], figure: str) -> None:
    row = perfect_draft_row().judge(replace(PERFECT, **wrong), PERFECT)  # type: ignore[arg-type]
    assert not row.good
    assert [each.name for each in row.figures if not each.good] == [figure]


def test_a_mismatch_makes_a_row_with_the_right_figures_bad() -> None:
    row = perfect_draft_row().judge(replace(PERFECT, mismatches=("a word",)), PERFECT)
    assert all(figure.good for figure in row.figures)
    assert not row.good


def test_a_target_without_a_rule_must_equal_its_own_plain_tokens() -> None:
    row = next(row for row in decoding_rows() if row.request.target == "random" and row.request.k == 1)
    plain = replace(PERFECT, tokens=(1, 2, 3))
    assert row.judge(plain, plain).figures[0].good
    assert not row.judge(replace(plain, tokens=(1, 2, 4)), plain).figures[0].good


def test_a_program_is_judged_by_all_its_figures() -> None:
    good = program_rows([BLOCK])[0]
    assert good.good
    assert len(good.figures) == 14
    bad = program_rows([replace(BLOCK, operations={**BLOCK.operations, "LD": 11})])[0]
    assert [figure.name for figure in bad.figures if not figure.good] == ["LD"]


def test_a_program_that_never_ran_is_bad() -> None:
    assert [row.good for row in program_rows([])] == [False] * 8


def test_nothing_compared_is_not_good() -> None:
    row = perfect_draft_row().judge(PERFECT, PERFECT)
    assert TableResult("icarus", [row], [], comparisons=1).good
    assert not TableResult("icarus", [row], [], comparisons=0).good


def test_a_mismatch_that_belongs_to_no_row_is_not_good() -> None:
    row = perfect_draft_row().judge(PERFECT, PERFECT)
    result = TableResult("icarus", [row], [], 1, ["a lost result"])
    assert not result.good
    assert list(table_failures([result], WHOLE)) == ["icarus: a lost result"]
    assert [case.failures for case in cases([result], WHOLE)] == [(), ("a lost result",)]


def test_a_result_lost_on_the_way_makes_the_table_bad(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Every figure is right and every row clean, but the scoreboard misses the result of an item."""
    lost = Mismatch("plain-003-plain", Aspect.PAIRING, "run 4", "a result", "none")

    def run(_simulator: str, _test: str, parameters: dict[str, Any], _directory: Path) -> RunReport:
        outcomes = {"plain": PERFECT.to_json(), "speculative": PERFECT.to_json()}
        payload = {"decodings": [outcomes] * len(parameters["decodings"])}
        return RunReport("DecodeTest", 1, 1, [lost], payload=payload)

    monkeypatch.setattr("regressions.published.run.run_test", run)
    (result,) = run_table(["verilator"], tmp_path, 1, source_digests(), on_progress=lambda _: None)
    assert result.mismatches == [str(lost)] * 2  # from two simulations
    assert not any(row.mismatches for row in result.rows)


@pytest.fixture
def results() -> list[TableResult]:
    """Icarus reproduces a row, Verilator finds a cycle too many in it and hangs in another."""
    row = perfect_draft_row()
    good, slow = (
        row.judge(replace(PERFECT, counters=Counters(cyc_total=cycles)), PERFECT)
        for cycles in (138_858, 138_859)
    )
    hung = row.failed("hung", 1.0)
    return [
        TableResult("icarus", [good, good], program_rows([BLOCK]), 1),
        TableResult("verilator", [slow, hung], program_rows([BLOCK]), 1),
    ]


def test_the_summary_holds_published_and_found(results: list[TableResult]) -> None:
    outcome = summary(results, 1.0)
    assert outcome["good"] is False
    rows = outcome["simulators"]["verilator"]["rows"]
    assert rows[0]["figures"]["cycles"] == {"published": 138_858, "found": 138_859, "good": False}
    assert rows[1]["mismatches"] == ["hung"]


def test_junit_fails_where_the_table_does(results: list[TableResult], tmp_path: Path) -> None:
    path = tmp_path / "junit.xml"
    write_junit(path, cases(results, WHOLE))
    suites = {suite.name: suite for suite in JUnitXml.fromfile(str(path))}
    assert set(suites) == {"icarus", "verilator"}
    # Of the eight single programs only the block has a record here.
    # One case more is for what belongs to no row.
    assert (suites["icarus"].tests, suites["icarus"].failures) == (11, 7)
    assert (suites["verilator"].tests, suites["verilator"].failures) == (11, 9)


def test_the_table_shows_what_was_found_instead(results: list[TableResult]) -> None:
    cells = [list(column.cells) for column in decoding_table(results).columns]
    cycles = cells[-2]
    assert cycles[1] == "138,858 [green]✓[/][bold red]✗[/]\n138,859"
    assert cycles[2] == "138,858 [green]✓[/][bold red]✗[/]"
    assert "12,330 [green]✓[/][green]✓[/]" in list(program_table(results).columns[-1].cells)


def test_a_row_with_a_mismatch_beside_right_figures_is_marked() -> None:
    row = perfect_draft_row()
    good, bad = (row.judge(replace(PERFECT, mismatches=found), PERFECT) for found in ((), ("a word",)))
    results = [TableResult("icarus", [good], [], 1), TableResult("verilator", [bad], [], 1)]
    cells = [list(column.cells)[1] for column in decoding_table(results).columns]
    assert "✗" not in "".join(map(str, cells[:-1]))
    assert cells[-1] == "[green]✓[/][bold red]✗[/]"


def printed(table: Table) -> str:
    console = Console(width=80, file=StringIO())
    console.print(table, crop=False)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def every_row(outcome: LoopOutcome) -> list[TableResult]:
    rows = [row.judge(outcome, PERFECT) for row in decoding_rows()]
    return [TableResult(name, rows, program_rows([BLOCK]), 1) for name in ("icarus", "verilator")]


def test_names_and_numbers_are_whole_in_80_columns() -> None:
    perfect = [replace(PERFECT, counters=Counters(row.published["cycles"])) for row in decoding_rows()]
    rows = [row.judge(found, found) for row, found in zip(decoding_rows(), perfect, strict=True)]
    text = printed(decoding_table([TableResult(name, rows, [], 1) for name in ("icarus", "verilator")]))
    assert max(map(len, text.splitlines())) <= 80
    for row in rows:
        assert f" {row.name} " in text
        assert f"{row.figures[-1].published:,} ✓✓ " in text


def test_wrong_tokens_show_where_they_first_differ_and_widen_nothing() -> None:
    wrong = replace(PERFECT, tokens=(3, 2, 14, *PERFECT.tokens[3:]))
    tokens = list(decoding_table(every_row(wrong)).columns[1].cells)[1]
    assert tokens == "rule [bold red]✗[/][bold red]✗[/]\nat 2: 14, not 13"
    text = printed(decoding_table(every_row(wrong)))
    assert max(map(len, text.splitlines())) <= 80
    assert " structured, k = 3, noise 4 " in text


def test_a_row_belongs_to_the_section_of_its_scales() -> None:
    sections = [row.section for row in decoding_rows()]
    assert sections == ["scales by program shape"] * 7 + ["scales by tensor role"] * 7


def test_every_failed_row_says_what_where_and_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RTL", "my files/ga2.f")
    monkeypatch.setenv("SCRATCHPAD", "")
    monkeypatch.setattr("sys.executable", str(REPOSITORY / ".venv/bin/python"))
    row = next(row for row in decoding_rows() if row.request.k == 1 and row.request.scales == "model")
    wrong = row.judge(replace(PERFECT, mismatches=("a word",)), PERFECT)
    place = "icarus, scales by tensor role, random 1, k = 1, noise 0"
    assert list(table_failures([TableResult("icarus", [wrong], [], 1)], WHOLE)) == [
        f"{place}: a word",
        f"    (cd {REPOSITORY} && RTL='my files/ga2.f' .venv/bin/python -m regressions decode --target "
        "random --target-seed 1 --k 1 --noise 0 --draft-seed 1 --scales model --tokens 32 --prompt 0 "
        "--sim icarus)",
    ]
    plain = next(row for row in decoding_rows() if row.plain)
    assert plain.command == (
        "decode --target structured --target-seed 1 --scales shape --tokens 32 --prompt 0 --plain"
    )


def test_many_mismatches_are_counted_rather_than_printed() -> None:
    """All rows of both simulators fail of one cause."""
    many = tuple(f"word {number}" for number in range(1000))
    results = every_row(replace(PERFECT, mismatches=many))
    programs = ["see the table" in line for line in table_failures(results, WHOLE)].count(True)
    lines = list(table_failures(results, WHOLE))
    assert [line for line in lines if "word" in line] == [
        f"icarus, scales by program shape, structured, plain: word {number}" for number in range(2)
    ]
    assert "    the same in 27 more: 13 on icarus, 14 on verilator" in lines
    assert lines[-1] == f"{28 * 1000 - 2} more in out/run/summary.json"
    assert programs == 14
    one = [TableResult("icarus", results[0].decodings[:1], [], 1)]
    assert len(list(table_failures(one, WHOLE))) == 10 + 1 + 1
    failures = next(iter(cases(one, WHOLE))).failures
    assert failures[-1] == "950 more in out/run/summary.json"
    assert sum("word" in text for text in failures) == 50


def test_two_causes_are_printed_one_below_the_other() -> None:
    results = every_row(
        replace(PERFECT, mismatches=("plain-000-plain: memory, word 3: expected 1, found 2",))
    )
    other = replace(PERFECT, mismatches=("plain-009-plain: counters, cyc_mm: expected 1, found 2",))
    rows = results[0].decodings
    results[0].decodings = [*rows[:4], decoding_rows()[4].judge(other, PERFECT), *rows[5:]]
    text = "\n".join(table_failures(results, WHOLE))
    assert text.count("word 3") == text.count("cyc_mm") == 1
    assert "the same in 26 more: 12 on icarus, 14 on verilator" in text


def test_a_first_divergence_of_many_simulations_is_printed_once() -> None:
    results = every_row(replace(PERFECT, mismatches=("a word",)))
    for number, result in enumerate(results):
        result.explanations = [[f"first divergence: pc {pc}, RQ", f"see {number}"] for pc in (4, 7)]
    lines = list(table_failures(results, WHOLE))[-3:]
    assert lines == [
        "icarus: first divergence: pc 4, RQ",
        "icarus: see 0",
        "    the same in 3 more simulations, of other programs or numbers",
    ]


def test_what_broke_a_simulation_is_told_once() -> None:
    rows = [row.failed("broke off", 1.0) for row in decoding_rows()]
    lines = list(table_failures([TableResult("icarus", rows, [], 0)], WHOLE))
    assert sum("broke off" in line for line in lines) == 1
    assert sum("python -m" in line for line in lines) == 1
