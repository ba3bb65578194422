"""What a night took, and how much of it was not simulation."""

from __future__ import annotations

import time
from dataclasses import dataclass
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

from regressions.nightly.result import Cost


@dataclass(frozen=True)
class NightCost:
    """Of one call of `nightly`, or of several that worked on the same run."""

    seconds: float
    """Wall clock from the first job on."""
    cpu: float
    """Seconds of everything: simulations, workers and this process."""
    simulation_cpu: float
    """Seconds of simulations, `make` around them included."""
    bench_cpu: float
    """Seconds that workers spent on jobs outside simulations: judging reports, explaining failures."""
    cores: int
    """Of several calls the most that one had."""

    memory: int = 0
    """The most that one job had, in bytes."""

    def __add__(self, other: NightCost) -> NightCost:
        """Return the cost of both."""
        return NightCost(
            self.seconds + other.seconds,
            self.cpu + other.cpu,
            self.simulation_cpu + other.simulation_cpu,
            self.bench_cpu + other.bench_cpu,
            max(self.cores, other.cores),
            max(self.memory, other.memory),
        )

    @property
    def busy(self) -> float:
        """Which part of all cores' time was used."""
        spent = self.seconds * self.cores
        return self.cpu / spent if spent else 0.0

    @property
    def overhead(self) -> float:
        """Which part of the used time is neither simulation nor work on a job: engine and client."""
        return max(0.0, 1 - (self.simulation_cpu + self.bench_cpu) / self.cpu) if self.cpu else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        figures = {name: round(value, 3) for name, value in vars(self).items()}
        return {**figures, "busy": round(self.busy, 4), "overhead": round(self.overhead, 4)}


NOTHING = NightCost(0.0, 0.0, 0.0, 0.0, 0)


class CostMeter:
    """Measures a night from its making on."""

    def __init__(self, cores: int, *, elsewhere: bool = False) -> None:
        """Begin. Of workers elsewhere, which are no children of this process, only their jobs count."""
        self._cores, self._elsewhere = cores, elsewhere
        self._began, self._cpu = time.perf_counter(), _cpu_so_far()
        self._simulation_cpu = self._bench_cpu = 0.0
        self._memory = 0

    def take(self, cost: Cost) -> None:
        """Count what a job took."""
        self._simulation_cpu += cost.simulation_cpu
        self._bench_cpu += cost.bench_cpu
        self._memory = max(self._memory, cost.memory)

    def read(self) -> NightCost:
        """Return the cost so far. Workers count only once they have ended."""
        seconds, cpu = time.perf_counter() - self._began, _cpu_so_far() - self._cpu
        if self._elsewhere:
            cpu += self._simulation_cpu + self._bench_cpu
        return NightCost(seconds, cpu, self._simulation_cpu, self._bench_cpu, self._cores, self._memory)


def _cpu_so_far() -> float:
    usages = [getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
