"""Does what registers begin with show in any result? Icarus' X is held against random values in Verilator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from regressions.nightly.result import JobResult, Status

_COMPARABLE = (Status.PASSED, Status.FAILED)


@dataclass(frozen=True)
class StateDependence:
    """A stimulus whose results differ between initial states."""

    stimulus: str
    results: tuple[JobResult, ...]
    """Of all its runs."""

    def __str__(self) -> str:
        """Say which runs agree with which, in a sentence."""
        groups: dict[str, list[str]] = {}
        for result in self.results:
            groups.setdefault(result.found, []).append(result.job.name)
        told = [f"{', '.join(names)} ({self._of(found)})" for found, names in groups.items()]
        return f"{self.stimulus} depends on its initial state: {'; otherwise '.join(told)}"

    def _of(self, found: str) -> str:
        first = next(result for result in self.results if result.found == found)
        return first.reason or first.status.value


@dataclass(frozen=True)
class Sweep:
    """What came of the comparison."""

    compared: int
    """Stimuli that ran from at least two initial states."""
    dependent: tuple[StateDependence, ...]


def compare_initial_states(results: Iterable[JobResult]) -> Sweep:
    """Compare the runs of every stimulus of build x-random; what the chip gave must be the same in all.

    Runs that brought no report are failures by themselves and are left out here.
    """
    stimuli: dict[str, list[JobResult]] = {}
    for result in results:
        if result.job.build == "x-random" and result.status in _COMPARABLE:
            stimuli.setdefault(result.job.stimulus, []).append(result)
    several = {name: runs for name, runs in stimuli.items() if len(runs) > 1}
    dependent = tuple(
        StateDependence(name, tuple(runs))
        for name, runs in several.items()
        if len({run.found for run in runs}) > 1
    )
    return Sweep(len(several), dependent)
