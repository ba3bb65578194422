"""What a job may take as a whole: its simulation, and all that explains a failure."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from signal import SIGKILL
from threading import Event, Thread

from verif.simulation.process_tree import Usage, usage_of
from verif.simulation.time_limit import TimeLimit, time_limit

TIMES = 4
"""So many times the `timeout` of one simulation."""

_LOOK_SECONDS = 0.2


@dataclass(frozen=True)
class Excess:
    """How a job has exceeded its limits."""

    sentence: str
    """Of what, and how much."""
    is_of_machine: bool
    """Is the machine too small, or too busy? Then it says nothing of the chip."""


class Watch(Thread):
    """Looks at what this process and all its descendants use, from its making on."""

    def __init__(self, limit: TimeLimit, memory: int | None, record: Callable[[Excess], object]) -> None:
        """Watch for that much time and that many bytes of memory, if they are limited; see `limited`."""
        super().__init__(daemon=True)
        self.peak = 0
        """The most memory that was seen, in bytes."""
        self._limit, self._memory, self._record = limit, memory, record
        self._began, self._cpu_before = time.monotonic(), usage_of(os.getpid()).cpu
        self._is_over = Event()

    def run(self) -> None:
        """Look until it is over, or there is an excess: then this process ends."""
        while not self._is_over.wait(_LOOK_SECONDS):
            usage = usage_of(os.getpid())
            self.peak = max(self.peak, usage.memory)
            excess = self._excess(usage)
            if excess is not None:
                try:
                    self._record(excess)
                finally:
                    os.kill(os.getpid(), SIGKILL)

    def stop(self) -> None:
        """End it. That takes for ever once there is an excess: what it records must not be written over."""
        self._is_over.set()
        self.join()

    def _excess(self, usage: Usage) -> Excess | None:
        if self._memory is not None and usage.memory > self._memory:
            taken, allowed = (f"{number / 1e6:,.0f} MB" for number in (usage.memory, self._memory))
            return Excess(f"it took {taken} of memory, of {allowed}", True)
        clock, cpu = time.monotonic() - self._began, usage.cpu - self._cpu_before
        times = f"{cpu:.0f} s of CPU time in {clock:.0f} s by the clock"
        if cpu > self._limit.cpu:
            return Excess(f"it took {times}, of {self._limit.cpu:g} s of CPU time", False)
        if clock > self._limit.clock:
            return Excess(f"it took {times}, of {self._limit.clock:g} s by the clock", True)
        return None


@contextmanager
def limited(timeout: float, memory: int | None, record: Callable[[Excess], object]) -> Iterator[Watch]:
    """Let the body take TIMES times this `timeout`, and that many bytes of memory, if they are limited.

    After more, `record` what is known, and end this process with all that it runs. For workers, which are
    replaced: nothing less ends whatever they are at. Their job is begun again, and must find in what was
    recorded that there is nothing left to do.
    """
    watch = Watch(time_limit(timeout).times(TIMES), memory, record)
    watch.start()
    try:
        yield watch
    finally:
        watch.stop()
