"""What a terminal shows while a night runs, and what a log gets."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path

from rich.console import Console

from regressions.nightly.display import FAILURES_SHOWN, NightDisplay
from regressions.nightly.engine import Standing
from regressions.nightly.result import Failure, JobResult, Status
from regressions.nightly.tests.fakes import job
from verif.shell_line import command_line

HERE = Standing(here=2)


def result(number: int, status: Status) -> JobResult:
    failure = Failure("f", "first divergence: here", None, None, None, None)
    return JobResult(job(f"a-{number}"), status, "word 3", failure=failure)


def shown(is_terminal: bool, results: list[JobResult], standing: Standing = HERE) -> str:
    output = io.StringIO()
    console = Console(file=output, force_terminal=is_terminal, width=100, highlight=False)
    before = Counter({Status.PASSED: 2, Status.FAILED: 1})
    with NightDisplay(console, jobs=12, before=before, standing=lambda: standing) as display:
        for each in results:
            display.take(each)
        if is_terminal:
            display._live.refresh()
    return output.getvalue()


def test_a_terminal_shows_how_far_it_is() -> None:
    text = shown(True, [result(1, Status.PASSED), result(2, Status.SKIPPED)])
    assert "5 of 12" in text
    for heading in ("running", "done", "failed", "left", "ETA"):
        assert heading in text


def row(text: str) -> dict[str, str]:
    """Return the table that was shown last, by its headings."""
    lines = [re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]", "", line) for line in text.splitlines()]
    at = max(number for number, line in enumerate(lines) if "running" in line)
    headings, cells = (re.split(r"  +", re.sub("[━╸╺]", " ", lines[n]).strip()) for n in (at, at + 1))
    return dict(zip(headings, cells, strict=True))


def test_only_workers_that_are_there_run_something() -> None:
    assert row(shown(True, [], Standing(here=0, queued=5)))["running"] == "0"
    assert row(shown(True, [], Standing(here=3, queued=2)))["running"] == "3"
    assert row(shown(True, [], Standing(here=3, queued=2)))["workers in the queue"] == "2"
    assert "queue" not in shown(True, [], Standing(here=3))
    last = [result(number, Status.PASSED) for number in range(8)]
    assert row(shown(True, last, Standing(here=3, queued=0)))["running"] == "1", "one is left"


def test_a_log_gets_failures_alone() -> None:
    assert shown(False, [result(1, Status.PASSED), result(2, Status.SKIPPED)]) == ""
    lines = shown(False, [result(1, Status.PASSED), result(2, Status.TIMEOUT)]).splitlines()
    assert lines == [
        "a-2: timeout: word 3",
        "    first divergence: here",
        f"    {command_line('reproduce', Path('f'))}",
    ]


def test_only_the_first_failures_are_told_at_once() -> None:
    text = shown(False, [result(number, Status.FAILED) for number in range(30)])
    assert text.count("failed: word 3") == FAILURES_SHOWN
    assert text.splitlines()[-1] == "further failures are told at the end"
