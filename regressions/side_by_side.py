"""Runs simulations, or tests, side by side, and leaves none behind when it is interrupted."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from verif.simulation.process_group import kill_running

POLL_SECONDS = 0.1

Job = TypeVar("Job")
Outcome = TypeVar("Outcome")


def run_side_by_side(
    run: Callable[[Job], Outcome],
    jobs: Sequence[Job],
    workers: int,
    on_poll: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """Run every job, `workers` at a time, and return what `run` made of each, in the order of the jobs.

    `on_poll` is called now and then while they run. Raises what `run` raises, once all have ended; Ctrl-C
    ends them at once.
    """
    with ThreadPoolExecutor(workers) as pool:
        running = [pool.submit(run, job) for job in jobs]
        try:
            _watch(running, on_poll)
        except BaseException:  # Ctrl-C: nobody waits for the rest
            pool.shutdown(wait=False, cancel_futures=True)
            _kill_all(running)
            raise
    return [future.result() for future in running]


def _watch(futures: Sequence[Future[Outcome]], on_poll: Callable[[], None]) -> None:
    waiting: set[Future[Outcome]] = set(futures)
    while waiting:
        waiting = wait(waiting, timeout=POLL_SECONDS).not_done
        on_poll()


def _kill_all(futures: Sequence[Future[Outcome]]) -> None:
    """Kill simulations until no job is left: one may have been about to start its own when this began."""
    while not all(future.done() for future in futures):  # `wait` never sees one that was cancelled in a queue
        kill_running()
        time.sleep(POLL_SECONDS)


@contextmanager
def directory_of_simulations(parent: Path) -> Iterator[Path]:
    """Make a directory for the simulations of this call alone; an interrupted call leaves none behind."""
    directory = Path(tempfile.mkdtemp(prefix="simulations-", dir=parent))
    try:
        yield directory
    except KeyboardInterrupt:
        shutil.rmtree(directory, ignore_errors=True)
        raise


def simulation_progress(console: Console, unit: str) -> Progress:
    """Return the progress bar of simulations, which counts in this unit."""
    return progress_bar(console, "simulating", unit)


def progress_bar(console: Console, activity: str, unit: str) -> Progress:
    """Return a progress bar that counts in this unit, and goes away when all is done."""
    return Progress(
        TextColumn(activity),
        BarColumn(),
        TextColumn(f"{{task.completed:,}} of {{task.total:,}} {unit}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
