"""Jobs on a Slurm farm: long-lived workers, each a Slurm job of its own, by way of dask-jobqueue."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections import Counter
from concurrent.futures import Future
from pathlib import Path

from regressions.nightly.dask_engine import DaskEngine, configure_dask
from regressions.nightly.engine import Standing
from regressions.nightly.farm import Farm, FarmError
from regressions.nightly.slurm_cluster import FarmCluster, key_in
from regressions.nightly.slurm_command import cancel_jobs, own_jobs

LOOK_SECONDS = 10.0
"""How often worker jobs are looked after."""

LOST_ROUNDS = 3
"""So often worker jobs may be found to have ended before they came, while no worker is there."""

STUCK_ROUNDS = 60
"""So often a worker job may be found running before its worker comes; then it is cancelled and replaced."""

SILENT_ROUNDS = 60
"""So often in a row the controller may not answer while no worker is there."""


_KEYS = ".keys-"


class SlurmEngine(DaskEngine):
    """An engine whose workers are Slurm jobs; see Engine for what it promises."""

    def __init__(self, farm: Farm, logs: Path, workers: int) -> None:
        """Ask Slurm for so many workers, whose output goes to files in `logs`; they must see that too.

        Raises FarmError when it cannot be written.
        """
        self._logs = logs
        self._queued = workers
        try:
            logs.mkdir(exist_ok=True)
            for left in logs.glob(f"{_KEYS}*"):  # by a client of this night that was killed
                shutil.rmtree(left)
            self._keys = tempfile.TemporaryDirectory(prefix=_KEYS, dir=logs)
            key = key_in(Path(self._keys.name))
        except OSError as error:
            raise FarmError(f"{logs} cannot be written: {error.strerror}") from error
        configure_dask({"temporary-directory": self._keys.name})
        self._job_name = f"ga2-{logs.parent.name.rpartition('-')[2]}"
        cancel_jobs(self._job_name)  # those of a client that was killed, whose workers would wait for it
        cluster = FarmCluster(farm, logs, key, self._job_name)
        super().__init__(workers, cluster)
        self._care = asyncio.run_coroutine_threadsafe(self._look_after(cluster), cluster.event_loop())
        self._care.add_done_callback(self._no_longer_cared_for)

    def standing(self) -> Standing:
        """See Engine."""
        return Standing(super().standing().here, self._queued)

    def close(self) -> None:
        """See Engine."""
        self._care.cancel()
        super().close()
        cancel_jobs(self._job_name)  # those that could not be cancelled while no controller was there
        self._keys.cleanup()

    async def _look_after(self, cluster: FarmCluster) -> None:
        """Have worker jobs replaced whose worker never comes, which dask.distributed never does.

        Somebody cancelled them while they waited, say, or no controller was there to take them, or they hang
        before the worker begins. Raises FarmError once that is of no use.
        """
        came: set[str] = set()
        rounds_run: Counter[str] = Counter()
        lost_rounds = silent_rounds = 0
        while lost_rounds < LOST_ROUNDS and silent_rounds < SILENT_ROUNDS:
            await asyncio.sleep(LOOK_SECONDS)
            asked_for = {name: str(job.job_id) for name, job in cluster.own_workers().items()}
            listed = await own_jobs()
            here = cluster.workers_here()
            came |= {number for name, number in asked_for.items() if name in here}
            silent_rounds = silent_rounds + 1 if listed is None and not here else 0
            if listed is None:
                continue
            self._queued = sum(listed.get(number) == "PENDING" for number in asked_for.values())
            rounds_run.update(n for n in asked_for.values() if listed.get(n) == "RUNNING" and n not in came)
            stuck = {number for number, rounds in rounds_run.items() if rounds > STUCK_ROUNDS}
            coming = came | listed.keys() - stuck
            lost = [name for name, number in asked_for.items() if number not in coming]
            for name in lost:
                job = cluster.own_workers().get(name)
                if job is not None and str(job.job_id) == asked_for[name]:  # else there is another one by now
                    del cluster.own_workers()[name]  # adapt() then asks for it again
                    await job.close()
            lost_rounds = 0 if here else lost_rounds + bool(lost)
        why = (
            "their Slurm jobs end, or hang, before they are ready"
            if lost_rounds
            else "Slurm's controller does not answer"
        )
        raise FarmError(f"no worker is there: {why}; {_last_words(self._logs)}")

    def _no_longer_cared_for(self, care: Future[None]) -> None:
        """Without that a night could wait for ever."""
        if not care.cancelled():
            self.give_up(care.exception() or AssertionError("it ends by an exception alone"))


def _last_words(logs: Path) -> str:
    """Return where the workers' output is, and what the last one that said something said."""
    written = sorted(logs.glob("*.err"), key=lambda path: path.stat().st_mtime)
    for path in reversed(written):
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        said = [line for line in lines if line.strip()]
        if said:
            return f"{path} ends with: {said[-1][:500]}"
    return f"their output is in {logs}"
