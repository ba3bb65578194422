"""Jobs on this machine: worker processes of dask.distributed."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing import resource_tracker
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask
from typing import Any

import dask
from distributed import Client, Future, KilledWorker, LocalCluster, as_completed

from regressions.nightly.engine import Ended

_SETTINGS = {
    "distributed.scheduler.allowed-failures": 2,
    "distributed.admin.log-length": 100,
    "distributed.admin.low-level-log-length": 100,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",  # at its 20 ms the client alone takes 4 % of a core
}

_PATIENCE_SECONDS = 30
"""After which a worker leaves that finds no scheduler."""


class LocalEngine:
    """An engine of so many processes, each with one job at a time."""

    def __init__(self, workers: int) -> None:
        """Start them. A program that does so must guard its own start by `if __name__ == "__main__"`."""
        self.workers = workers
        self._scratch = tempfile.TemporaryDirectory(prefix="ga2-workers-")
        dask.config.set(_SETTINGS)
        with _ctrl_c_held():
            self._cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                memory_limit=0,
                silence_logs=logging.CRITICAL,
                local_directory=self._scratch.name,
                preload=["regressions.nightly.worker_signals"],
                death_timeout=_PATIENCE_SECONDS,
            )
        self._cluster.adapt(minimum=workers, maximum=workers)
        self._client = Client(self._cluster)
        self._running = as_completed()
        self._names: dict[str, str] = {}
        self._numbers = count()

    def submit(self, name: str, function: Callable[[Any], Any], argument: Any) -> None:
        """See Engine."""
        key = f"{name}#{next(self._numbers)}"
        self._names[key] = name
        self._running.add(self._client.submit(function, argument, key=key, pure=False))

    def ended(self) -> Iterator[Ended]:
        """See Engine."""
        while not self._running.is_empty():
            future = next(self._running)
            ended = _ended(self._names.pop(future.key), future)
            future.release()  # or it would run again when the worker that holds its result dies
            yield ended

    def close(self) -> None:
        """See Engine."""
        self._client.close()
        self._cluster.close()
        self._scratch.cleanup()


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Let Ctrl-C wait until all workers have started; these, and who takes their place, never see it.

    The thread that starts them and they themselves inherit what is blocked. A worker that died of it halfway
    would have dask.distributed show its tracebacks.
    """
    resource_tracker.ensure_running()  # multiprocessing unblocks the signal where it has to start this first
    before = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        yield
    finally:
        pthread_sigmask(SIG_SETMASK, before)


def _ended(name: str, future: Future[Any]) -> Ended:
    if future.status == "finished":
        return Ended(name, result=future.result())
    error = future.exception()
    if isinstance(error, KilledWorker):
        return Ended(name, lost="the process that ran it died each time")
    return Ended(name, error=error)
