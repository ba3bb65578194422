"""The command line as a fixture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from regressions.command_line import main


@dataclass(frozen=True)
class Outcome:
    """What one command left on the terminal."""

    status: int
    output: str
    error: str


CommandLine = Callable[..., Outcome]


@pytest.fixture
def command_line(capfd: pytest.CaptureFixture[str]) -> CommandLine:
    """Run one command in this process; an exception that escapes it fails the test."""

    def run(*arguments: object) -> Outcome:
        status = main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run
