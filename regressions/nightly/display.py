"""What the terminal shows while a night runs; where it is none, failures alone."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from regressions.nightly.engine import Standing
from regressions.nightly.result import JobResult, Status
from verif.shell_line import command_line

FAILURES_SHOWN = 5
"""Told as soon as they are known; the others are in the buckets at the end."""

BAR = 24
"""Columns of the bar."""

_GOOD = (Status.PASSED, Status.SKIPPED)


class NightDisplay:
    """Counts results as they come in."""

    def __init__(
        self, console: Console, jobs: int, before: Counter[Status], standing: Callable[[], Standing]
    ) -> None:
        """Make it for so many jobs, some of which ended `before` in these ways; it shows from `with` on.

        `standing` tells how many workers there are.
        """
        self._console = console
        self._jobs, self._before, self._standing = jobs, before, standing
        self._statuses: Counter[Status] = Counter()
        self._what = ""
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

    def say_what(self, what: str) -> None:
        """Show what goes on now that all jobs have ended once."""
        self._what = what
        if self._console.is_terminal:
            self._live.refresh()

    def take(self, result: JobResult) -> None:
        """Count a result, and tell of it if it is one of the first failures."""
        self._statuses[result.status] += 1
        if result.status in _GOOD or self._failed > FAILURES_SHOWN:
            return
        self._say(f"{result.job.name}: {result.status}: {result.reason}")
        if result.failure is not None:
            self._say(f"    {result.failure.explanation}")
            self._say(f"    {command_line('reproduce', Path(result.failure.folder))}")
        if self._failed == FAILURES_SHOWN:
            self._say("further failures are told at the end")

    @property
    def _failed(self) -> int:
        return _failed_of(self._statuses)

    def _say(self, line: str) -> None:
        self._console.print(line, soft_wrap=True)

    def _table(self) -> Table:
        here, before = self._statuses.total(), self._before.total()
        left = self._jobs - before - here
        elapsed = time.monotonic() - self._began
        failed = _failed_of(self._before) + self._failed
        workers = self._standing()
        table = Table(box=None, caption=self._what, caption_justify="left")
        for name, width in (("running", 7), ("done", 0), ("", BAR), ("failed", 6), ("left", 4)):
            table.add_column(name, min_width=width, no_wrap=True)
        for name in ("time", "ETA"):
            table.add_column(name, min_width=7, no_wrap=True)  # or it would jump
        row: list[RenderableType] = [
            f"{min(workers.here, left):,}" if left else "…",
            f"{before + here:,} of {self._jobs:,}",
            ProgressBar(self._jobs, before + here, width=BAR, complete_style="green", finished_style="green"),
            Text(f"{failed:,}", "bold red" if failed else ""),
            f"{left:,}",
            _clock(elapsed),
            _clock(elapsed / here * left) if here and left else "…",
        ]
        if workers.queued is not None:
            table.add_column("workers in the queue")
            row.append(f"{workers.queued:,}")
        table.add_row(*row)
        return table


def _failed_of(statuses: Counter[Status]) -> int:
    return sum(number for status, number in statuses.items() if status not in _GOOD)


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
