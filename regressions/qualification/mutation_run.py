"""Tries mutants: all with short programs; what survives these with a solver, then with the closing set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.closing.job import Job
from regressions.qualification.closing_set import closing_jobs, reset_jobs
from regressions.side_by_side import run_side_by_side
from verif.qualification.generated import batch
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.change import Operator
from verif.qualification.generated.proving import proved_equivalent
from verif.qualification.generated.trial import AnyMutant, Fate, Trial, try_mutant
from verif.qualification.mutant import Mutant
from verif.qualification.mutated_rtl import MIRRORS, plusargs
from verif.simulation.simulation import KEEP_GOING, Simulation
from verif.sources import unchanged_sources

ONE_IS_ENOUGH = {"stop_at_mismatch": True}
"""Parameters of every simulation of one mutant: nobody wants the second program that fails."""

BATCH_SECONDS = 1200.0
"""CPU time of a simulation of many mutants; it takes a tenth of that."""


def simulator_of(mutant: GeneratedMutant | Mutant) -> str:
    """Return where a mutant is tried: in Verilator, which is faster, unless it is X that shows it."""
    by_x = isinstance(mutant, GeneratedMutant) and mutant.operator is Operator.RESET
    return "icarus" if by_x else "verilator"


@dataclass(frozen=True)
class MutationRun:
    """What all trials share."""

    rtl: Mapping[str, str]
    """The built copy for each simulator, which holds all mutants that are tried there."""
    numbers: Mapping[str, int]
    """What selects each mutant in Verilator's copy."""
    directory: Path
    """Of the caller's; one below it for each simulation."""
    listed: Collection[str]
    """Mutants of which it is known that nothing kills them; they get the short programs alone."""
    workers: int
    sources: Mapping[str, str]
    """Digests of the sources that all trials must have run with."""

    def trials(self, mutants: Sequence[AnyMutant], on_done: Callable[[], None]) -> list[Trial[AnyMutant]]:
        """Return what became of each mutant; `on_done` is called for each.

        In Verilator many share a simulation. A dropped reset shows by X at power-up alone, so it has one of
        its own. The simulations that killed must pass with no mutant selected: Ga2Error if one does not,
        since nothing follows from its failures then. SourcesError if sources changed meanwhile.
        """
        alone: list[Sequence[AnyMutant]] = [
            [mutant] for mutant in mutants if simulator_of(mutant) == "icarus"
        ]
        together: list[AnyMutant] = [mutant for mutant in mutants if simulator_of(mutant) == "verilator"]
        found: dict[str, Trial[AnyMutant]] = {}

        def run(group: Sequence[AnyMutant]) -> None:
            self._run(group, found, on_done)

        groups = batch.batches(together, self.workers) + alone
        run_side_by_side(run, groups, self.workers)
        jobs = {job.name for job in closing_jobs()}
        killers = {
            (trial.simulator, trial.by)
            for trial in found.values()
            if trial.fate is Fate.KILLED and trial.by in jobs
        }
        run_side_by_side(lambda killer: self._check_unmutated(*killer), sorted(killers), self.workers)
        return [found[mutant.name] for mutant in mutants]

    def _run(
        self, mutants: Sequence[AnyMutant], found: dict[str, Trial[AnyMutant]], on_done: Callable[[], None]
    ) -> None:
        """Try mutants of one simulator and add what became of them to `found`."""
        if simulator_of(mutants[0]) == "verilator":
            found |= {trial.mutant.name: trial for trial in self._short(mutants)}
        for mutant in mutants:
            if mutant.name not in found:
                found[mutant.name] = self._try(mutant)
            elif found[mutant.name].fate is Fate.SURVIVED:
                found[mutant.name] = self._look_closer(mutant, found[mutant.name])
            on_done()

    def _look_closer(self, mutant: AnyMutant, survived: Trial[AnyMutant]) -> Trial[AnyMutant]:
        """Return what becomes of a mutant that no short program kills."""
        if isinstance(mutant, GeneratedMutant) and proved_equivalent(mutant):
            return Trial(mutant, "verilator", Fate.PROVED, "solver")
        return survived if mutant.name in self.listed else self._try(mutant)

    def _short(self, mutants: Sequence[AnyMutant]) -> list[Trial[AnyMutant]]:
        """Try a batch with the short programs."""

        def make_simulation(numbers: Mapping[str, int]) -> Simulation:
            return Simulation(
                "verilator",
                batch.TEST,
                self.directory / f"batch-{next(iter(numbers))}-{len(numbers)}",
                {"mutants": dict(numbers)},
                timeout=BATCH_SECONDS,
                rtl=self.rtl["verilator"],
                mirrors=MIRRORS,
                plusargs=(KEEP_GOING,),
            )

        with unchanged_sources(self.sources):
            return batch.try_together(mutants, self.numbers, make_simulation)

    def _try(self, mutant: AnyMutant) -> Trial[AnyMutant]:
        """Try one mutant with the closing set, a job after another."""
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
            rtl=self.rtl[simulator],
            mirrors=MIRRORS,
            plusargs=arguments,
        )


def _jobs(simulator: str) -> list[Job]:
    return reset_jobs() if simulator == "icarus" else closing_jobs()
