"""Does what registers begin with show in any result? Icarus' X is held against random values in Verilator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from regressions.nightly.job import NightJob
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
class NotCompared:
    """A stimulus of which there are no two results to compare."""

    stimulus: str
    reason: str
    intended: bool
    """Did whoever chose the jobs want it so?"""

    def __str__(self) -> str:
        """Say so in a sentence."""
        return f"initial states of {self.stimulus} were not compared: {self.reason}"


@dataclass(frozen=True)
class Sweep:
    """What came of the comparison."""

    compared: int = 0
    """Stimuli that ran from at least two initial states."""
    dependent: tuple[StateDependence, ...] = ()
    not_compared: tuple[NotCompared, ...] = ()


def compare_initial_states(runs: Iterable[tuple[NightJob, JobResult | None]]) -> Sweep:
    """Compare the runs of every stimulus of build x-random; what the chip gave must be the same in all.

    Runs that brought no report are failures by themselves and are left out here.
    """
    stimuli: dict[str, list[tuple[NightJob, JobResult | None]]] = {}
    for job, result in runs:
        if job.build == "x-random":
            stimuli.setdefault(job.stimulus, []).append((job, result))
    compared, dependent, not_compared = 0, [], []
    for stimulus, each in stimuli.items():
        results = tuple(result for _, result in each if result and result.status in _COMPARABLE)
        if len(results) < 2:
            not_compared.append(_not_compared(stimulus, each))
            continue
        compared += 1
        if len({result.found for result in results}) > 1:
            dependent.append(StateDependence(stimulus, results))
    return Sweep(compared, tuple(dependent), tuple(not_compared))


def _not_compared(stimulus: str, runs: Sequence[tuple[NightJob, JobResult | None]]) -> NotCompared:
    job, _ = runs[0]
    if job.skip:
        return NotCompared(stimulus, f"skipped: {job.skip}", intended=True)
    if len(runs) == 1:
        return NotCompared(stimulus, f"{job.name} alone was to run", intended=True)
    lacking = [
        f"{job.name}: {result.status if result else 'no result'}"
        for job, result in runs
        if result is None or result.status not in _COMPARABLE
    ]
    return NotCompared(stimulus, f"too few runs brought a report ({', '.join(lacking)})", intended=False)
