"""A night as Markdown: all that its reader needs, and nothing that text of others can break."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from regressions.history.database import opened
from regressions.history.document import NightDocument
from regressions.history.failures import failures_of
from regressions.history.markdown import escaped, night_markdown
from regressions.history.nights import find_night
from regressions.history.tests.conftest import MakeHistory
from regressions.history.tests.made_up import made_job, made_night
from verif.shell_line import command_line

AGAIN = command_line("nightly", "--only", "x")

GONE = made_job("gone-0", "failed", bucket=("data", "requant"))
OLD = made_job("old-0", "failed", bucket=("timing", "C"), simulator="verilator")
NEW = made_job("new-0", "failed", bucket=("data", "scores"))
FLAKY = made_job("odd-0", "flaky", bucket=("hang", "start"))
NIGHTS = [
    made_night("n1", 1, [GONE, OLD, made_job("t-0")]),
    made_night(
        "n2",
        2,
        [made_job("gone-0"), OLD, NEW, FLAKY, made_job("t-0"), made_job("t-1", None)],
        list="nightly",
        drifts=["t-0 took 101 cycles, but 100 in n1"],
        warnings=["verilator is slow"],
    ),
]


def tokens(lines: list[str]) -> list[Token]:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse("\n".join(lines))


def texts(lines: list[str], kind: str) -> list[str]:
    """Return what a reader sees of everything of a kind, such as `h3` or `li`."""
    parsed = tokens(lines)
    found = []
    for at, token in enumerate(parsed):
        if token.type.endswith("_open") and token.tag == kind:
            inline = next(each for each in parsed[at:] if each.type == "inline")
            found.append("".join(each.content or " " for each in inline.children or ()))
    return found


def page(night: dict[str, Any], history: Path | None = None) -> list[str]:
    document = NightDocument.model_validate_json(json.dumps(night))
    if history is None:
        return list(night_markdown(document, "there is no history"))
    with opened(history) as connection:
        return list(night_markdown(document, failures_of(connection, find_night(connection, document.night))))


def test_a_night_with_failures(history_of: MakeHistory) -> None:
    lines = page(NIGHTS[1], history_of(*NIGHTS))
    assert texts(lines, "h2") == ["❌ nightly: NOT good"]
    assert texts(lines, "th") == ["passed", "failed", "flaky", "no result"]
    assert texts(lines, "td") == ["2", "2", "1", "1"]
    assert texts(lines, "h3") == [
        "known: timing, matrix, MM, C; 1 job on verilator",
        "new: data, matrix, MM, scores; 1 job on icarus",
        "flaky: hang, matrix, MM, start; 1 job on icarus",
    ]
    assert texts(lines, "li") == [
        "4 failed",
        "fixed: data, matrix, MM, requant",
        "t-0 took 101 cycles, but 100 in n1",
        "warning: verilator is slow",
    ]
    told = texts(lines, "p")
    assert "coverage: 900 of 1,000 bins (`make close` checks the goals)" in told
    assert any("in 100 s. Seed 77, commit 02" in each for each in told)
    assert any(each.startswith("first divergence: C is wrong first: old-0, seed 1 since n1") for each in told)
    fences = [token.content for token in tokens(lines) if token.type == "fence"]
    assert fences == [command_line("reproduce", "x") + "\n"] * 3


def test_a_good_night() -> None:
    lines = page(made_night("n", 3, [made_job("t-0")]))
    assert texts(lines, "h2") == ["✅ nightly: Good"]
    assert texts(lines, "h3") == []
    assert (texts(lines, "th"), texts(lines, "td")) == (["passed"], ["1"])


def test_a_good_part_of_a_list_is_no_good_list() -> None:
    part = {"filtered": True, "part": "tag <b>", "listed": 56}
    lines = page(made_night("n", 3, [made_job("t-0")], **part))
    assert texts(lines, "h2") == ["⚠️ nightly: Good: 1 of 56 jobs (tag <b>)"]


def test_what_depends_on_its_initial_state_is_told() -> None:
    night = made_night("n", 3, [made_job("x-0")], good=False)
    dependent = {"stimulus": "x", "jobs": ["x-0"], "sentence": "x depends", "reproduce": AGAIN}
    lines = page({**night, "initial_states": {"compared": 1, "dependent": [dependent]}})
    assert texts(lines, "h3") == ["x depends"]
    assert AGAIN in lines


def test_of_many_failures_some_are_told() -> None:
    jobs = [made_job(f"x-{number}", "failed", bucket=("data", f"t{number}")) for number in range(23)]
    lines = page(made_night("n", 3, jobs))
    assert len(texts(lines, "h3")) == 20
    assert "3 more buckets are in summary.json." in lines


@pytest.mark.parametrize(
    "text",
    [
        "a *b* _c_ `d` ~~e~~ **f**",
        "<script>alert(1)</script> &amp; <!-- x",
        "[link](http://x.y) ![picture](z) <http://x.y> http://x.y @somebody #1",
        "| a | b |",
        "# no heading",
        "- no list",
        "1. no list",
        "1) no list",
        "> no quotation",
        "===",
        "---",
        "\\` backslash \\",
        "word 3: expected 1, found 2 (0x00000002) …",
    ],
)
def test_text_of_others_is_shown_as_it_is(text: str) -> None:
    for lines, kind in (
        ([escaped(text)], "p"),
        ([f"### {escaped(text)}"], "h3"),
        ([f"- {escaped(text)}"], "li"),
    ):
        assert [token.type for token in tokens(lines) if token.tag in ("h1", "hr", "blockquote", "ol")] == []
        assert texts(lines, kind) == [text]


def test_lines_and_lengths_of_others_do_not_matter() -> None:
    assert escaped("a\n\n    b\r\n```") == "a b \\`\\`\\`"
    assert escaped("a" * 10_000) == f"{'a' * 266}…\\(9,600 left out\\)…{'a' * 134}"


def test_a_command_with_a_fence_in_it_stays_one() -> None:
    night = made_night("n", 3, [NEW])
    night["buckets"][0]["reproduce"] = again = command_line("reproduce", "again\n````\n# x")
    assert [token.content for token in tokens(page(night)) if token.type == "fence"] == [f"{again}\n"]


def test_without_a_history_it_says_so() -> None:
    lines = page(NIGHTS[1])
    assert "What is new is not known: there is no history" in texts(lines, "p")
    assert texts(lines, "h3")[1] == "data, matrix, MM, scores; 1 job on icarus"
