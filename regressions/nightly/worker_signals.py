"""Loaded by every worker on a farm as it starts: Ctrl-C is for the client alone, which ends the workers."""

from __future__ import annotations

import signal


def dask_setup(_: object) -> None:
    """Let Ctrl-C pass by; dask.distributed calls this."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
