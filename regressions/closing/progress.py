"""What is seen while a campaign runs: one bar a family of coverage items."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from regressions.coverage.summary import Summary


class ClosingProgress:
    """Bars that fill with bins; quiet where the output is no terminal."""

    def __init__(self, console: Console) -> None:
        """Make it; it shows from `with` on."""
        self._progress = Progress(
            TextColumn("{task.description:12}"),
            BarColumn(),
            TextColumn("{task.percentage:5.1f} %"),
            TextColumn("{task.completed:,} of {task.total:,} {task.fields[unit]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._families: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        """Begin to show."""
        self._progress.start()
        self._jobs = self._progress.add_task("simulations", total=0, unit="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Go away."""
        self._progress.stop()

    def begun(self, jobs: int) -> None:
        """So many more simulations are to run."""
        total = self._progress.tasks[self._jobs].total or 0
        self._progress.update(self._jobs, total=total + jobs)

    def done(self) -> None:
        """One of them has ended."""
        self._progress.advance(self._jobs)

    def print(self, line: str) -> None:
        """Leave a line above the bars, or in a log."""
        self._progress.console.print(line, soft_wrap=True)

    def show(self, summary: Summary) -> None:
        """Fill the bars of all families."""
        for family, items in summary.by_family().items():
            if family not in self._families:
                name = family.replace("_", " ")
                self._families[family] = self._progress.add_task(name, total=0, unit="bins")
            hit, bins = sum(each.hit for each in items), sum(each.item.bins for each in items)
            self._progress.update(self._families[family], completed=hit, total=bins)
