"""Tries mutants with the closing set, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.closing.job import Job
from regressions.qualification.closing_set import closing_jobs, reset_jobs
from regressions.side_by_side import run_side_by_side
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.change import Operator
from verif.qualification.generated.trial import AnyMutant, Fate, Trial, try_mutant
from verif.qualification.mutant import Mutant
from verif.qualification.mutated_rtl import MIRRORS, plusargs
from verif.simulation.simulation import KEEP_GOING, Simulation
from verif.sources import unchanged_sources

ONE_IS_ENOUGH = {"stop_at_mismatch": True}
"""Parameters of every simulation here: nobody wants the second program that fails."""


def simulator_of(mutant: GeneratedMutant | Mutant) -> str:
    """Return where a mutant is tried: in Verilator, which is faster, unless it is X that shows it."""
    by_x = isinstance(mutant, GeneratedMutant) and mutant.operator is Operator.RESET
    return "icarus" if by_x else "verilator"


@dataclass(frozen=True)
class MutationRun:
    """What all trials share."""

    rtl: str
    """The built copy that holds all mutants."""
    directory: Path
    """Of the caller's; one below it for each simulation."""
    listed: Collection[str]
    """Mutants of which it is known that nothing kills them; they get the first job alone."""
    workers: int
    sources: Mapping[str, str]
    """Digests of the sources that all trials must have run with."""

    def trials(self, mutants: Sequence[AnyMutant], on_done: Callable[[], None]) -> list[Trial[AnyMutant]]:
        """Return what became of each mutant; `on_done` is called for each.

        The simulations that killed must pass with no mutant selected: Ga2Error if one does not, since nothing
        follows from its failures then. SourcesError if sources changed meanwhile.
        """

        def run(mutant: AnyMutant) -> Trial[AnyMutant]:
            trial = self._try(mutant)
            on_done()
            return trial

        found = run_side_by_side(run, mutants, self.workers)
        killers = {(trial.simulator, trial.by) for trial in found if trial.fate is Fate.KILLED}
        run_side_by_side(lambda killer: self._check_unmutated(*killer), sorted(killers), self.workers)
        return found

    def _try(self, mutant: AnyMutant) -> Trial[AnyMutant]:
        simulator, jobs = simulator_of(mutant), _jobs(simulator_of(mutant))
        if mutant.name in self.listed:
            jobs = jobs[:1]
        simulations = (
            (job.name, self._simulation(job, simulator, mutant.name, plusargs(mutant.name))) for job in jobs
        )
        with unchanged_sources(self.sources):
            return try_mutant(mutant, simulator, simulations)

    def _check_unmutated(self, simulator: str, name: str) -> None:
        job = next(job for job in _jobs(simulator) if job.name == name)
        with unchanged_sources(self.sources):
            report = self._simulation(job, simulator, "unmutated", (KEEP_GOING,)).run()
        if not report.passed:
            raise Ga2Error(
                f"{simulator}: {name} fails with no mutant selected, so nothing follows: {report.first_wrong}"
            )

    def _simulation(self, job: Job, simulator: str, mutant: str, arguments: Sequence[str]) -> Simulation:
        return Simulation(
            simulator,
            job.test,
            self.directory / f"{simulator}-{mutant}-{job.name}",
            {**job.parameters, **ONE_IS_ENOUGH},
            rtl=self.rtl,
            mirrors=MIRRORS,
            plusargs=arguments,
        )


def _jobs(simulator: str) -> list[Job]:
    return reset_jobs() if simulator == "icarus" else closing_jobs()
