"""What engines on dask.distributed have in common, wherever their workers are."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from queue import SimpleQueue
from typing import Any

import dask
from dask.typing import Key
from distributed import Client, Future, KilledWorker, SpecCluster

from regressions.nightly.engine import Ended, Standing

SETTINGS = {
    "distributed.scheduler.allowed-failures": 2,
    "distributed.scheduler.worker-saturation": 1.0,  # none waits at a worker, to be blamed for its death
    "distributed.deploy.lost-worker-timeout": "30s",  # so long it may take to be restarted where it was
    "distributed.admin.log-length": 100,
    "distributed.admin.low-level-log-length": 100,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",  # at its 20 ms the client alone takes 4 % of a core
}


def configure_dask(more: Mapping[str, object]) -> None:
    """Have every cluster that is made from now on do as engines need, with these settings, and log nothing.

    A cluster's own `silence_logs` ends with it, while threads may still tell of workers that are gone.
    """
    dask.config.set({**SETTINGS, **more})
    for handler in logging.getLogger("distributed").handlers:
        handler.setLevel(logging.CRITICAL)


def settings_as_environment() -> dict[str, str]:
    """Return the variables that give these settings to a worker that is no child of this process."""
    return {
        f"DASK_{key.upper().replace('.', '__').replace('-', '_')}": str(value)
        for key, value in SETTINGS.items()
    }


class DaskEngine:
    """An engine of so many workers with one job each; one that dies is replaced."""

    memory: int | None = None

    def __init__(self, workers: int, cluster: SpecCluster) -> None:
        """Take them from a cluster that was made after `configure_dask`; it is closed with this engine."""
        self.workers = workers
        self._cluster = cluster
        self._cluster.adapt(minimum=workers, maximum=workers)
        self._client = Client(self._cluster)
        self._running: dict[Key, tuple[str, Future[Any]]] = {}
        self._done: SimpleQueue[Future[Any] | BaseException] = SimpleQueue()
        self._numbers = count()

    def submit(self, name: str, function: Callable[[Any], Any], argument: Any) -> None:
        """See Engine."""
        key = f"{name}#{next(self._numbers)}"
        # as a `data producer` it waits at the scheduler until a worker has nothing else to do
        future = self._client.submit(function, argument, key=key, pure=False, _data_producer=True)
        self._running[key] = name, future
        future.add_done_callback(self._done.put)

    def ended(self) -> Iterator[Ended]:
        """See Engine. Raises what `give_up` was told."""
        while self._running:
            future = self._done.get()
            if isinstance(future, BaseException):
                raise future
            name, _ = self._running.pop(future.key)
            ended = _ended(name, future)
            future.release()  # or it would run again when the worker that holds its result dies
            yield ended

    def standing(self) -> Standing:
        """See Engine."""
        scheduler: Any = self._cluster.scheduler
        return Standing(len(scheduler.workers))

    def close(self) -> None:
        """See Engine."""
        self._client.close()
        self._cluster.close()

    def give_up(self, error: BaseException) -> None:
        """Let whoever waits for jobs know, from any thread, that no more will end."""
        self._done.put(error)


def _ended(name: str, future: Future[Any]) -> Ended:
    if future.status == "finished":
        return Ended(name, result=future.result())
    error = future.exception()
    if isinstance(error, KilledWorker):
        return Ended(name, lost="the process that ran it died each time")
    return Ended(name, error=error)
