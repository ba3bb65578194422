"""Loaded by every local worker as it starts: it is killed as soon as the night that it works for is gone."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from signal import SIGKILL
from threading import Thread

OWNER_VARIABLE = "GA2_WORKERS_LOCK"
"""Environment variable that names the file on which the owner holds a lock."""


def dask_setup(_: object) -> None:
    """Begin to watch; dask.distributed calls this before it sends any job."""
    Thread(target=_die_with_owner, args=[Path(os.environ[OWNER_VARIABLE])], daemon=True).start()


def _die_with_owner(lock: Path) -> None:
    """Wait for the lock, however long, and end this process at once: guards kill what it runs."""
    try:
        with lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
    finally:  # where the lock is gone its owner is, too
        os.kill(os.getpid(), SIGKILL)
