"""What the terminal shows while a night runs; where it is none, failures alone."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.table import Table

from regressions.nightly.engine import Standing
from regressions.nightly.result import JobResult, Status
from verif.failure.folder import repository_command

FAILURES_SHOWN = 5
"""Told as soon as they are known; the others are in the buckets at the end."""

_GOOD = (Status.PASSED, Status.SKIPPED)


class NightDisplay:
    """Counts results as they come in."""

    def __init__(self, console: Console, jobs: int, done: int, standing: Callable[[], Standing]) -> None:
        """Make it for so many jobs, of which some were done before; it shows from `with` on.

        `standing` tells how many workers there are.
        """
        self._console = console
        self._jobs, self._done, self._standing = jobs, done, standing
        self._statuses: Counter[Status] = Counter()
        self._began = time.monotonic()
        self._live = Live(console=console, get_renderable=self._table, refresh_per_second=2, transient=True)

    def __enter__(self) -> Self:
        """Begin to show."""
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Go away."""
        self._live.stop()

    def take(self, result: JobResult) -> None:
        """Count a result, and tell of it if it is one of the first failures."""
        self._statuses[result.status] += 1
        if result.status in _GOOD or self._failed > FAILURES_SHOWN:
            return
        self._say(f"{result.job.name}: {result.status}: {result.reason}")
        if result.failure is not None:
            self._say(f"    {result.failure.explanation}")
            self._say(f"    {repository_command('reproduce', Path(result.failure.folder))}")
        if self._failed == FAILURES_SHOWN:
            self._say("further failures are told at the end")

    @property
    def _failed(self) -> int:
        return sum(number for status, number in self._statuses.items() if status not in _GOOD)

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, soft_wrap=True)

    def _table(self) -> Table:
        here = self._statuses.total()
        left = self._jobs - self._done - here
        elapsed = time.monotonic() - self._began
        workers = self._standing()
        table = Table("running", "done", "failed", "left", "time", "ETA", box=None)
        row = [
            f"{min(workers.here, left):,}",
            f"{self._done + here:,} of {self._jobs:,}",
            f"[red]{self._failed:,}[/]" if self._failed else "0",
            f"{left:,}",
            _clock(elapsed),
            _clock(elapsed / here * left) if here else "…",
        ]
        if workers.queued is not None:
            table.add_column("workers in the queue")
            row.append(f"{workers.queued:,}")
        table.add_row(*row)
        return table


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
