"""What a job may take as a whole: its simulation, and all that explains a failure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from signal import SIGKILL
from threading import Timer

TIMES = 4
"""So many times the `timeout` of one simulation."""


@contextmanager
def limited(seconds: float, record: Callable[[], object]) -> Iterator[None]:
    """Let the body take so long. Then `record` what is known, and end this process with all that it runs.

    For workers, which are replaced: nothing less ends whatever they are at. Their job is begun again, and
    must find in what was recorded that there is nothing left to do.
    """
    timer = Timer(seconds, _end, [record])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # for ever, where it has begun: what it records must not be written over


def _end(record: Callable[[], object]) -> None:
    try:
        record()
    finally:
        os.kill(os.getpid(), SIGKILL)
