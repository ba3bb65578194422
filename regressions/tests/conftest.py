"""The command line, and lists whose nights are removed, as fixtures."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from regressions import rtl
from regressions.command_line import main
from regressions.nightly.night import NIGHTS
from verif.failure.investigation import run_explained
from verif.run_report import RunReport
from verif.simulation.simulation import Simulation


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


@pytest.fixture
def unshrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave failures of commands without waves and a shrunk program: five simulations less each.

    Tests of those in verif/tests have RTL of every kind.
    """

    def run(simulation: Simulation, failures: Path, **_: bool) -> RunReport:
        return run_explained(simulation, failures, shrink=False, window=False)

    monkeypatch.setattr(rtl, "run_explained", run)


MakeList = Callable[[str], Path]


@pytest.fixture
def make_list(tmp_path: Path) -> Iterator[MakeList]:
    """Write the text of a list to a file with a name of its own; its nights are removed afterwards."""
    path = tmp_path / f"own{os.getpid()}.toml"

    def make(text: str) -> Path:
        path.write_text(text, encoding="utf-8")
        return path

    yield make
    for directory in nights_of(path):
        shutil.rmtree(directory)


def nights_of(path: Path) -> list[Path]:
    """Return the directories of a list's nights."""
    return sorted(NIGHTS.glob(f"{path.stem}-*"))
