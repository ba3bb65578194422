"""Jobs on this machine: worker processes of dask.distributed."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask

from distributed import LocalCluster

from regressions.nightly.dask_engine import PATIENCE_SECONDS, PRELOADED, DaskEngine, configure_dask


class LocalEngine(DaskEngine):
    """An engine of so many processes."""

    def __init__(self, workers: int) -> None:
        """Start them. A program that does so must guard its own start by `if __name__ == "__main__"`."""
        configure_dask()
        self._scratch = tempfile.TemporaryDirectory(prefix="ga2-workers-")
        with _ctrl_c_held():
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                memory_limit=0,
                silence_logs=logging.CRITICAL,
                local_directory=self._scratch.name,
                preload=[PRELOADED],
                death_timeout=PATIENCE_SECONDS,
            )
        super().__init__(workers, cluster)

    def close(self) -> None:
        """See Engine."""
        super().close()
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
