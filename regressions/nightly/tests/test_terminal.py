"""A night in a terminal of its own: what it shows while it runs, how it redraws that, and what stays."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import termios
from pathlib import Path

import pytest

from regressions.nightly.night import begin_night, plan_now
from regressions.nightly.tests.fake_client import start_client
from regressions.nightly.tests.fakes import job

_STEP = re.compile(r"\x1b\[(?P<number>\d*)(?P<what>[A-Z])|\x1b\[[?\d;]*[a-z]|(?P<text>[^\x1b])", re.DOTALL)

HEADINGS = r" *running +done +failed +left +time +ETA *"
ROW = re.compile(r" *(\d|…) +(\d+) of (\d+) +[━╸╺ ]+ +(\d+) +(\d+) +(\d:\d\d:\d\d) +(\d:\d\d:\d\d|…) *")


class Screen:
    """A terminal, as far as a night uses one; everything else fails the test."""

    def __init__(self) -> None:
        self.lines = [""]
        self.row = self.column = 0
        self.frames: list[list[str]] = []
        """What it showed each time before it was redrawn."""

    def feed(self, text: str) -> None:
        position = 0
        while position < len(text):
            step = _STEP.match(text, position)
            assert step is not None, f"unknown control sequence: {text[position : position + 10]!r}"
            position = step.end()
            if step["what"]:
                self._control(step["what"], int(step["number"] or 1))
            elif step["text"]:
                self._print(step["text"])

    def _control(self, what: str, number: int) -> None:
        assert what in "AK", f"unknown control sequence {what}"
        if what == "A":
            self.row -= number
            assert self.row >= 0
        else:
            self.frames.append(list(self.lines))
            self.lines[self.row] = ""

    def _print(self, character: str) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row += 1
            self.lines += [""] * (self.row + 1 - len(self.lines))
        else:
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[: self.column] + character + line[self.column + 1 :]
            self.column += 1


def shown_in_terminal(tmp_path: Path, columns: int) -> Screen:
    jobs = [job("f-0", "fail", kind="data"), job("t-0", "timeout")]
    jobs += [job(f"s-{number}", "sleep", seconds=1.0) for number in range(6)]
    night = begin_night(plan_now("smoke", 1, tuple(jobs)), tmp_path)
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    client = start_client(night, {"TERM": "xterm"}, stdout=terminal, stderr=terminal)
    os.close(terminal)
    written = b""
    while True:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:  # how a terminal tells that nobody has it open any more
            break
        written += piece
    os.close(master)
    assert client.wait() == 1
    screen = Screen()
    screen.feed(written.decode())
    return screen


@pytest.mark.parametrize("columns", [120, pytest.param(80, marks=pytest.mark.slow)])
def test_a_terminal_shows_what_runs_is_done_and_failed_and_when_it_ends(tmp_path: Path, columns: int) -> None:
    screen = shown_in_terminal(tmp_path, columns)
    rows = []
    for frame in screen.frames:
        headings = [line for line in frame if re.fullmatch(HEADINGS, line)]
        found = [row for line in frame if (row := ROW.fullmatch(line))]
        assert len(headings) <= 1, frame
        assert len(found) <= 1, frame
        rows += [row.groups() for row in found]
    done = [int(row[1]) for row in rows]
    assert done == sorted(done)
    assert {row[2] for row in rows} == {"8"}
    assert all(int(row[1]) + int(row[4]) == 8 for row in rows)
    halfway = [row for row in rows if 2 <= int(row[1]) < 8]
    assert halfway
    assert {row[3] for row in halfway} == {"2"}, "both have failed"
    assert {row[0] for row in halfway} <= {"1", "2"}
    assert all(row[6] != "…" for row in halfway)
    told = [line for frame in screen.frames for line in frame]
    assert "what failed runs again" in {line.strip() for line in told}
    stays = [line for line in screen.lines if line.strip()]
    assert not [line for line in stays if re.fullmatch(HEADINGS, line) or ROW.fullmatch(line)]
    assert stays.count("f-0: failed: word 3") == 1
    assert stays.count("t-0: timeout: it is timeout after 17 s") == 1
    assert "NOT good: 1 failed; 1 timeout" in stays
