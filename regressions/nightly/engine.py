"""What runs jobs, on this machine or elsewhere: one narrow interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol


@dataclass(frozen=True)
class Ended:
    """A job that has ended, one way or the other."""

    name: str
    result: Any = None
    """What its function returned."""
    lost: str = ""
    """Why it did not return: its workers died, again and again."""
    error: Exception | None = None
    """What it raised."""


@dataclass(frozen=True)
class Standing:
    """How many workers there are at the moment."""

    here: int
    """Ready, or at work."""
    queued: int | None = None
    """In a farm's queue, which has not begun with them; None: there is no queue."""


class Engine(Protocol):
    """Workers that call functions. Whatever happens to a worker, every job that was submitted ends once."""

    workers: int
    memory: int | None
    """Bytes that a job may take; None: what its worker's machine gives it."""

    def submit(self, name: str, function: Callable[[Any], Any], argument: Any) -> None:
        """Have a worker call a module's function, soon.

        Function, argument and result must be picklable. A job whose worker dies is begun again elsewhere.
        """

    def ended(self) -> Iterator[Ended]:
        """Yield jobs as they end, until none is left; more may be submitted meanwhile."""

    def standing(self) -> Standing:
        """Return how many workers there are at the moment."""

    def close(self) -> None:
        """Forget jobs that wait, kill what runs, simulators too, and let the workers go."""


def run_jobs(
    engine: Engine, function: Callable[[Any], Any], jobs: Iterable[tuple[str, Any]]
) -> Iterator[Ended]:
    """Have every argument, given with its job's name, processed in this order; yield the jobs as they end.

    An engine has only as many as it has workers: nothing waits at a worker, to die with it, and a long night
    takes no more memory than a short one.
    """
    waiting = iter(jobs)
    for name, argument in islice(waiting, engine.workers):
        engine.submit(name, function, argument)
    for ended in engine.ended():
        for name, argument in islice(waiting, 1):
            engine.submit(name, function, argument)
        yield ended
