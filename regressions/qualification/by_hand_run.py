"""Runs every mutant on several simulators, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.side_by_side import run_side_by_side
from verif.qualification.mutant import Mutant
from verif.qualification.outcome import Outcome
from verif.qualification.qualify import qualify, run_unmutated
from verif.sources import unchanged_sources


@dataclass(frozen=True)
class _Job:
    """One mutant on one simulator; without a mutant, the programs of all of them on the right RTL."""

    simulator: str
    mutant: Mutant | None
    rtl: str
    directory: Path


def run_qualification(
    mutants: Sequence[Mutant],
    simulators: Sequence[str],
    rtl: Mapping[str, str],
    directory: Path,
    workers: int,
    sources: Mapping[str, str],
    on_done: Callable[[], None],
) -> list[Outcome]:
    """Run each mutant on each simulator, below a directory of the caller's, and return what came of it.

    `rtl` is each simulator's built copy that holds all mutants; `on_done` is called for each simulation that
    has ended. With no mutant selected its programs must pass first: Ga2Error if they do not, since nothing
    would follow from a failure then. SourcesError if `sources` change meanwhile.
    """

    def run(job: _Job) -> Outcome | None:
        with unchanged_sources(sources):
            outcome = _run(job)
        on_done()
        return outcome

    controls = [_Job(name, None, rtl[name], directory / f"{name}-unmutated") for name in simulators]
    run_side_by_side(run, controls, workers)
    jobs = [
        _Job(simulator, mutant, rtl[simulator], directory / f"{simulator}-{mutant.name}")
        for mutant in mutants
        for simulator in simulators
    ]
    outcomes = run_side_by_side(run, jobs, workers)
    return [outcome for outcome in outcomes if outcome is not None]


def _run(job: _Job) -> Outcome | None:
    if job.mutant is not None:
        return qualify(job.mutant, job.simulator, job.rtl, job.directory)
    report = run_unmutated(job.simulator, job.rtl, job.directory)
    if not report.passed:
        raise Ga2Error(
            f"{job.simulator}: the RTL fails with no mutant selected, so nothing follows: "
            f"{report.first_wrong}"
        )
    return None
