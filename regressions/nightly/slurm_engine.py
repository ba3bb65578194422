"""Jobs on a Slurm farm: long-lived workers, each a Slurm job of its own, by way of dask-jobqueue."""

from __future__ import annotations

import asyncio
import tempfile
from concurrent.futures import Future
from pathlib import Path

from regressions.nightly.dask_engine import DaskEngine, configure_dask
from regressions.nightly.farm import Farm, FarmError
from regressions.nightly.slurm_cluster import FarmCluster, key_in
from regressions.nightly.slurm_command import own_jobs

LOOK_SECONDS = 10.0
"""How often worker jobs are looked after."""

LOST_ROUNDS = 3
"""So often worker jobs may be found to have ended before they came, while no worker is there."""

SILENT_ROUNDS = 60
"""So often in a row the controller may not answer while no worker is there."""


class SlurmEngine(DaskEngine):
    """An engine whose workers are Slurm jobs; see Engine for what it promises."""

    def __init__(self, farm: Farm, logs: Path, workers: int) -> None:
        """Ask Slurm for so many workers, whose output goes to files in `logs`; they must see that too.

        Raises FarmError when it cannot be written.
        """
        self._logs = logs
        try:
            logs.mkdir(exist_ok=True)
            self._keys = tempfile.TemporaryDirectory(prefix=".keys-", dir=logs)
            key = key_in(Path(self._keys.name))
        except OSError as error:
            raise FarmError(f"{logs} cannot be written: {error.strerror}") from error
        configure_dask()
        cluster = FarmCluster(farm, logs, key)
        super().__init__(workers, cluster)
        self._care = asyncio.run_coroutine_threadsafe(self._look_after(cluster), cluster.event_loop())
        self._care.add_done_callback(self._no_longer_cared_for)

    def close(self) -> None:
        """See Engine."""
        self._care.cancel()
        super().close()
        self._keys.cleanup()

    async def _look_after(self, cluster: FarmCluster) -> None:
        """Have worker jobs replaced that ended before their worker came, which dask.distributed never does.

        Somebody cancelled them while they waited, say, or no controller was there to take them. Raises
        FarmError once that is of no use.
        """
        came: set[str] = set()
        lost_rounds = silent_rounds = 0
        while lost_rounds < LOST_ROUNDS and silent_rounds < SILENT_ROUNDS:
            await asyncio.sleep(LOOK_SECONDS)
            asked_for = {name: job.job_id for name, job in cluster.own_workers().items()}
            listed = await own_jobs()
            here = cluster.workers_here()
            came |= {number for name, number in asked_for.items() if number and name in here}
            silent_rounds = silent_rounds + 1 if listed is None and not here else 0
            if listed is None:
                continue
            lost = [name for name, number in asked_for.items() if number not in came | listed]
            for name in lost:
                job = cluster.own_workers().get(name)
                if job is not None and job.job_id == asked_for[name]:  # else there is another one by now
                    del cluster.own_workers()[name]  # adapt() then asks for it again
                    await job.close()
            lost_rounds = 0 if here else lost_rounds + bool(lost)
        why = "their Slurm jobs end too soon" if lost_rounds else "Slurm's controller does not answer"
        raise FarmError(f"no worker is there: {why}; their output is in {self._logs}")

    def _no_longer_cared_for(self, care: Future[None]) -> None:
        """Without that a night could wait for ever."""
        if not care.cancelled():
            self.give_up(care.exception() or AssertionError("it ends by an exception alone"))
