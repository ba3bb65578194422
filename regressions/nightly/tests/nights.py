"""Nights of jobs that are no simulations, begun and run in this process."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from regressions.exit_status import ExitStatus
from regressions.nightly import session
from regressions.nightly.attempt import Simulate
from regressions.nightly.job import NightJob
from regressions.nightly.night import (
    Night,
    begin_night,
    plan_now,
)
from regressions.nightly.tests.fakes import InlineEngine, job, simulate
from regressions.terminal import Terminal

JOBS = [
    job("pass-0"),
    job("pass-1", simulator="verilator"),
    job("mm-0", "fail", seed=9, kind="data", unit="matrix", opcode="MM", role="C"),
    job("mm-1", "fail", simulator="verilator", seed=4, kind="data", unit="matrix", opcode="MM", role="C"),
    job("mm-2", "fail", seed=5, kind="timing", unit="matrix", opcode="MM", role="C"),
    job("late-0", "timeout"),
    job("off-0", "pass", skip="known, until it is repaired"),
    job("odd-0", "raise"),
    job("x-0", build="x-random", stimulus="x"),
    job("x-1", build="x-random", stimulus="x", simulator="verilator", found="other"),
]


def begun(tmp_path: Path, jobs: Sequence[NightJob]) -> Night:
    return begin_night(plan_now("smoke", 77, tuple(jobs)), tmp_path / "nights")


def run(
    night: Night, tmp_path: Path, console: Console | None = None, simulate: Simulate = simulate
) -> ExitStatus:
    shown = console or Console(quiet=True)
    failed_seeds, history = tmp_path / "failed.json", tmp_path / "history.sqlite"
    return session.run_session(night, 1, failed_seeds, history, shown, simulate, InlineEngine)


def summary(night: Night) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((night.directory / "summary.json").read_text(encoding="utf-8"))
    return document


def attempts(night: Night, name: str) -> list[str]:
    return sorted(path.name for path in (night.directory / "attempts" / name).iterdir())


def without_circumstances(night: Night) -> dict[str, Any]:
    """Return a night's summary without what no two nights have in common: times, attempts, its directory."""
    document = summary(night)
    for name in ("night", "began", "cost"):
        del document[name]
    for each in document["jobs"]:
        for name in ("seconds", "simulation_cpu", "memory", "attempt"):
            each.pop(name, None)
    return document


def shown(night: Night, tmp_path: Path, simulate: Simulate = simulate) -> list[str]:
    """Run a night and return the lines that its terminal shows."""
    with (tmp_path / "terminal").open("w") as file:
        console = Terminal(record=True, width=300, file=file)
        run(night, tmp_path, console, simulate)
    return console.export_text().splitlines()
