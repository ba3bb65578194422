"""Jobs on this machine: worker processes of dask.distributed."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from pathlib import Path
from signal import SIG_BLOCK, SIG_SETMASK, SIGHUP, SIGINT, SIGKILL, pthread_sigmask

from distributed import Security, SpecCluster
from distributed.system import MEMORY_LIMIT

from refmodel.errors import Ga2Error
from regressions.nightly.dask_engine import DaskEngine, configure_dask
from regressions.nightly.dask_nodes import LastingNanny, QuietScheduler, QuietWorker
from regressions.nightly.scratch import Scratch

_MEMORY_SHARE = 0.9
"""How much of the machine's memory, or of this process's control group, all jobs may take together."""

_LEAST_MEMORY = 1_000_000_000
"""Bytes that any job may take: an ordinary one takes a quarter, and shares some of it with others."""

_START_SECONDS = 300
"""How long a worker process may take to come up; on a busy machine the libraries alone take a minute."""


class LocalEngine(DaskEngine):
    """An engine of so many processes, which end with this one: dask.distributed has them watch a pipe."""

    def __init__(self, workers: int) -> None:
        """Start them. A program that does so must guard its own start by `if __name__ == "__main__"`.

        Raises Ga2Error when there is no room for temporary files.
        """
        try:
            self._scratch = Scratch()
        except OSError as error:
            raise Ga2Error(f"{tempfile.gettempdir()}: no room for workers: {error.strerror}") from error
        configure_dask({"temporary-directory": str(self._scratch.directory)})
        with ExitStack() as on_failure, _terminal_held():
            on_failure.callback(self._scratch.remove)
            try:
                cluster = _cluster(workers, self._scratch.directory)
            except Exception as error:  # dask.distributed raises whatever its worker processes do
                raise Ga2Error(f"no worker could be started: {type(error).__name__}: {error}") from error
            on_failure.pop_all()
        super().__init__(workers, cluster)
        self.memory = memory_of_a_job(workers, MEMORY_LIMIT)

    def close(self) -> None:
        """See Engine. Workers are not asked to leave: they would finish jobs of a few seconds first."""
        for nanny in self._cluster.workers.values():
            nanny.close_gracefully()  # or it would replace its worker
            if nanny.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(nanny.pid, SIGKILL)  # guards kill what it runs
        super().close()
        self._scratch.remove()


def memory_of_a_job(workers: int, memory: int) -> int:
    """Return how many bytes of a machine's memory one of so many jobs may take."""
    return max(_LEAST_MEMORY, int(_MEMORY_SHARE * memory / workers))


def _cluster(workers: int, directory: Path) -> SpecCluster:
    """Start so many worker processes, and what they need in this one.

    Any user of the machine can connect to loopback, and a scheduler and its workers run whatever they are
    sent. So they speak TLS with a key that is in the memory of these processes alone.
    """
    security = Security.temporary()
    common = {"host": "127.0.0.1", "protocol": "tls://", "security": security}
    nanny = {
        "cls": LastingNanny,
        "options": {
            **common,
            "nthreads": 1,
            "worker_class": QuietWorker,
            "dashboard": False,
            "memory_limit": 0,
            "silence_logs": logging.CRITICAL,
            "local_directory": str(directory),
            "death_timeout": _START_SECONDS,
        },
    }
    return SpecCluster(
        workers=dict.fromkeys(range(workers), nanny),
        scheduler={"cls": QuietScheduler, "options": {**common, "port": 0, "dashboard": False}},
        worker=nanny,
        security=security,
        silence_logs=logging.CRITICAL,
    )


@contextmanager
def _terminal_held() -> Iterator[None]:
    """Let Ctrl-C, and the end of the terminal, wait until all workers have started.

    These, and who takes their place, never see either: the thread that starts them and they themselves
    inherit what is blocked. A worker that died of it halfway would have dask.distributed show its tracebacks.
    """
    resource_tracker.ensure_running()  # multiprocessing unblocks signals where it has to start this first
    before = pthread_sigmask(SIG_BLOCK, {SIGINT, SIGHUP})
    try:
        yield
    finally:
        pthread_sigmask(SIG_SETMASK, before)
