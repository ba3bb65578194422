"""Scheduler, workers and nannies as both engines start them: nothing listens without the run's key."""

from __future__ import annotations

from distributed import Nanny, Scheduler, Status, Worker

STARTS = 5
"""How often a worker process may be started before it has come up once."""


class WithoutHttp:
    """Opens no HTTP server: dask's own answers every user of the machine, with or without a key."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Do nothing."""


class QuietScheduler(WithoutHttp, Scheduler):
    """A scheduler that only TLS connections reach."""


class QuietWorker(WithoutHttp, Worker):
    """A worker that only TLS connections reach."""


class LastingNanny(Nanny):
    """Starts its worker process anew also when that is killed before it has come up."""

    async def instantiate(self) -> Status:
        """Start it. Once it has come up dask.distributed itself replaces it, until the nanny is closed."""
        for _ in range(STARTS):
            status = await super().instantiate()
            if status is not Status.stopped or self.status is not Status.init:
                break
        return status
