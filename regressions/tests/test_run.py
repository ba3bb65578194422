from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from regressions.choices import RTL_SIMULATORS
from regressions.published.run import OnProgress, TableResult
from regressions.tests.conftest import CommandLine
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.sim_make import OUT


@pytest.mark.parametrize("sim", ["verilator", pytest.param(None, id="both", marks=pytest.mark.slow)])
def test_every_published_figure_is_reproduced_on_the_rtl(
    sim: str | None, request: pytest.FixtureRequest, command_line: CommandLine
) -> None:
    """One test for all simulators, since `run` fills one directory; that of Icarus is slow."""
    chosen = request.config.getoption("--sim") or sim
    outcome = command_line("run", *(["--sim", chosen] if chosen else []))
    assert outcome.status == 0, outcome.output
    assert "every figure reproduced" in outcome.output
    summary = json.loads((OUT / "run" / "summary.json").read_text())
    assert summary["good"] is True
    assert list(summary["simulators"]) == ([chosen] if chosen else list(RTL_SIMULATORS))
    for found in summary["simulators"].values():
        assert len(found["rows"]) == 14 + 8
        assert found["comparisons"] > 1_000_000


@pytest.fixture
def directories(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Replace simulations by two outcomes, a bad one first; return where they were told to run."""
    used: list[Path] = []

    def run_table(
        simulators: Sequence[str],
        directory: Path,
        workers: int,
        sources: Mapping[str, str],
        on_progress: OnProgress,
    ) -> list[TableResult]:
        assert "sim.mk" in sources
        assert list(directory.iterdir()) == []
        (directory / "report.json").write_text(f"{workers} {on_progress}")
        used.append(directory)
        wrong = [f"[{number}] " + 200 * "-" for number in range(100)] if len(used) == 1 else []
        return [TableResult(simulator, comparisons=1, mismatches=wrong) for simulator in simulators]

    monkeypatch.setattr("regressions.commands.run.OUT", tmp_path)
    monkeypatch.setattr("regressions.commands.run.build", lambda _simulator: None)
    monkeypatch.setattr("regressions.commands.run.run_table", run_table)
    return used


def test_every_run_has_a_directory_of_its_own_and_keeps_it_only_if_something_is_wrong(
    directories: list[Path], command_line: CommandLine, tmp_path: Path
) -> None:
    bad, good = (command_line("run") for _ in range(2))
    first, second = directories
    assert first != second
    assert (bad.status, good.status) == (1, 0)
    assert f"{first}\n" in bad.output
    assert f"icarus: [0] {200 * '-'}\n" in bad.output  # neither wrapped nor taken for markup
    assert bad.output.count("-----\n") == 10
    assert "the same in 1 more: 1 on verilator\n" in bad.output
    assert f"190 more in {tmp_path / 'run' / 'summary.json'}\n" in bad.output
    assert sorted(tmp_path.joinpath("run").iterdir()) == sorted(
        [first, tmp_path / "run" / "summary.json", tmp_path / "run" / "junit.xml"]
    )


def processes_of(directory: Path) -> list[str]:
    """Return all processes that were started to write into the directory."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended, or is somebody else's
            if str(directory).encode() in (process / "environ").read_bytes():
                found.append(process.name)
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_ends_at_once_and_leaves_nothing_running(
    number: signal.Signals, tmp_path: Path
) -> None:
    """The program is a copy of `run` that writes elsewhere: tests run beside each other."""
    program = (
        "import pathlib, sys; "
        "from regressions import command_line, signals; from regressions.commands import run; "
        "signals.end_as_after_ctrl_c(); "
        f"run.OUT = pathlib.Path({str(tmp_path)!r}); "
        "sys.exit(command_line.main(['run', '--sim', 'icarus']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=REPOSITORY, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        try:
            deadline = time.monotonic() + 600
            while not processes_of(tmp_path) and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.1)
            time.sleep(1)
            process.send_signal(number)
            _, error = process.communicate(timeout=600)
        finally:
            process.kill()
    assert process.returncode == 130
    assert error == b"error: interrupted\n"
    assert processes_of(tmp_path) == []
    assert list(tmp_path.joinpath("run").iterdir()) == []
