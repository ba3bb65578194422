"""A night's workers as Slurm jobs: what each asks for, and the shell that it begins with."""

from __future__ import annotations

import asyncio
import logging
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

from distributed import Security, Status

from regressions.nightly import worker_signals
from regressions.nightly.dask_engine import settings_as_environment
from regressions.nightly.dask_nodes import QuietScheduler, QuietWorker
from regressions.nightly.farm import Farm
from regressions.nightly.slurm_command import require_slurm
from verif.simulation.chip import RTL_VARIABLES
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.time_limit import FACTOR_VARIABLE

_on_ctrl_c = signal.getsignal(signal.SIGINT)
from dask_jobqueue.slurm import SLURMCluster, SLURMJob  # noqa: E402 -- it makes Ctrl-C a silent success

signal.signal(signal.SIGINT, _on_ctrl_c)

PATIENCE_SECONDS = 30
"""After which a worker leaves that finds no scheduler."""

_ROLES = ("scheduler", "worker", "client")


class WorkerJob(SLURMJob):
    """A worker job that says how it stands, which dask.distributed asks when all is closed."""

    @staticmethod
    async def _call(cmd: list[str], **options: Any) -> str:
        """Call one of Slurm's commands, out of reach of Ctrl-C: what it interrupts could not be cancelled."""
        output: str = await SLURMJob._call(cmd, start_new_session=True, **options)
        return output

    async def start(self) -> None:
        """Submit it. Raises RuntimeError."""
        try:
            await SLURMJob.start(self)
        except Exception:
            self.status = Status.failed
            raise

    async def close(self) -> None:
        """Cancel it."""
        self.status = Status.closing  # whoever is interrupted here need not leave it as running
        await SLURMJob.close(self)
        self.status = Status.closed


class FarmCluster(SLURMCluster):
    """A scheduler in this process, for workers anywhere on the farm."""

    job_cls = WorkerJob

    def __init__(self, farm: Farm, logs: Path, security: Security, job_name: str) -> None:
        """Start it without workers; their jobs get this name, and their output goes to files in `logs`."""
        for name in (
            "tornado.application",
            "asyncio",
        ):  # they would tell each refused sbatch with a traceback
            logging.getLogger(name).setLevel(logging.CRITICAL)
        super().__init__(
            **_job_options(farm, job_name),
            interface=farm.interface,
            log_directory=str(logs),
            security=security,
            scheduler_cls=QuietScheduler,
            scheduler_options={"dashboard": False},
            silence_logs=logging.CRITICAL,
        )

    def own_workers(self) -> dict[str, WorkerJob]:
        """Return the worker jobs that were asked for, by the names of their workers."""
        jobs: dict[str, WorkerJob] = self.workers
        return jobs

    def workers_here(self) -> set[str]:
        """Return the names of the workers that have come."""
        scheduler: Any = self.scheduler
        return {str(worker.name) for worker in scheduler.workers.values()}

    def event_loop(self) -> asyncio.AbstractEventLoop:
        """Return what the cluster runs in, a thread of its own."""
        wrapped: Any = self.loop
        loop: asyncio.AbstractEventLoop = wrapped.asyncio_loop
        return loop


def require_farm(farm: Farm) -> None:
    """Raise FarmError unless Slurm is there and would take the workers."""
    script = SLURMJob("tcp://nowhere:0", name="worker", **_job_options(farm, "ga2-nightly")).job_script()
    require_slurm(script, farm)


def key_in(directory: Path) -> Security:
    """Make a key in a directory that no other user can read, and return it for scheduler, workers and client.

    Whoever reaches the scheduler can have anything run in the user's name; so only who has this key does.
    """
    made = Security.temporary().get_tls_config_for_role("worker")
    files = {name: str(directory / name) for name in ("ca_file", "cert", "key")}
    for name, path in files.items():
        Path(path).touch(mode=0o600)
        Path(path).write_text(made[name], encoding="ascii")
    roles = {f"tls_{role}_{name}": files[name] for role in _ROLES for name in ("cert", "key")}
    return Security(require_encryption=True, tls_ca_file=files["ca_file"], **roles)


def _job_options(farm: Farm, job_name: str) -> dict[str, Any]:
    """Return what dask-jobqueue needs to write a worker's job script."""
    return {
        "queue": farm.queue,
        "account": farm.account,
        "memory": farm.memory,
        "walltime": farm.walltime,
        "cores": 1,
        "processes": 1,
        "python": shlex.quote(sys.executable),
        "job_name": job_name,
        "job_extra_directives": farm.directives,
        "job_script_prologue": [*_prologue(farm.prologue), *_environment()],
        "worker_extra_args": [
            *("--preload", worker_signals.__name__, "--no-dashboard", "--memory-limit", "0"),
            *("--worker-class", f"{QuietWorker.__module__}.{QuietWorker.__qualname__}"),
        ],
        "death_timeout": PATIENCE_SECONDS,
    }


def _prologue(lines: list[str]) -> list[str]:
    """Return shell that ends a worker job, and says why, at the first command that fails.

    A worker without what the prologue was to bring would fail every job that it gets.
    """
    if not lines:
        return []
    told = 'echo "prologue: status $?: $(sed -n "${LINENO}p" "$0")" >&2; exit 1'
    return [f"trap '{told}' ERR", *lines, "trap - ERR"]


def _environment() -> list[str]:
    """Return shell that gives a worker this checkout, this process's RTL and limits, and settings of dask."""
    variables = {name: os.environ.get(name, "") for name in (*RTL_VARIABLES, FACTOR_VARIABLE)}
    variables |= {"PYTHONPATH": str(REPOSITORY), **settings_as_environment()}
    exports = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
    return [f"cd {shlex.quote(str(REPOSITORY))} || exit", *exports]
