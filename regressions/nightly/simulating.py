"""One job in its worker: simulated, judged, and explained if it fails."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import replace
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from regressions.keeping_coverage import keep_coverage
from regressions.nightly.job import NightJob
from regressions.nightly.machine import this_machine
from regressions.nightly.result import Cost, JobResult, Status, write_result
from regressions.nightly.signature import failure_in
from verif.coverage.model import load_model
from verif.failure.investigation import OnVerdict, run_explained
from verif.qualification.mutated_rtl import MIRRORS
from verif.qualification.qualify import WHOLE_LIST
from verif.run_report import RunReport
from verif.simulation.simulation import (
    KEEP_GOING,
    BrokenSimulationError,
    KilledSimulationError,
    NoSpaceError,
    Simulation,
    SimulationError,
    SimulationTimeout,
)

MISMATCHES_KEPT = 10

_WHOSE = (RUSAGE_CHILDREN, RUSAGE_SELF)


def simulate(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
    """Run a job in a directory of its own; what it leaves for good goes below `night`.

    A failure is explained; `deeply` also shows and shrinks it. Before that it is in `directory` already, as
    `write_result` writes it. Raises Ga2Error when there is nowhere to write: that is no result.
    """
    simulation = _simulation(job, directory / "simulation")
    meter = _Meter()

    def keep(failed: RunReport | BrokenSimulationError) -> None:
        result = _broken(job, failed) if isinstance(failed, Exception) else _judged(job, simulation, failed)
        write_result(directory, replace(result, cost=meter.read()))

    return replace(_run(job, simulation, night, deeply, keep), cost=meter.read())


def counts_code(job: NightJob) -> bool:
    """Does it need the build that counts code coverage? Icarus has none."""
    return job.build == "coverage" and job.simulator == "verilator"


def _simulation(job: NightJob, directory: Path) -> Simulation:
    simulation = Simulation(
        job.simulator,
        job.test,
        directory,
        job.parameters,
        job.initial_seed,
        job.timeout,
        coverage=True,
        code_coverage=counts_code(job),
    )
    if job.build == "mutants":
        return replace(simulation, rtl=str(WHOLE_LIST), mirrors=MIRRORS, plusargs=(KEEP_GOING,))
    return simulation


def _run(
    job: NightJob, simulation: Simulation, night: Path, deeply: bool, on_verdict: OnVerdict
) -> JobResult:
    try:
        report = run_explained(
            simulation, night / "failures", shrink=deeply, window=deeply, on_verdict=on_verdict
        )
    except SimulationTimeout as error:
        return JobResult(job, Status.TIMEOUT, str(error).partition(";")[0])
    except BrokenSimulationError as error:
        return _broken(job, error)
    except KilledSimulationError as error:
        return JobResult(job, Status.KILLED, str(error).partition("; the whole")[0])
    except NoSpaceError:
        raise
    except SimulationError as error:
        return JobResult(job, Status.CRASHED, str(error), is_bench_error=True)
    if report.passed:
        database, counts = (
            night / "coverage" / f"{job.name}.json",
            night / "code-coverage" / f"{job.name}.dat",
        )
        keep_coverage(simulation, job.stimulus, load_model(), database, counts)
    return _judged(job, simulation, report)


def _broken(job: NightJob, error: BrokenSimulationError) -> JobResult:
    return JobResult(job, Status.CRASHED, str(error), failure=failure_in(error))


def _judged(job: NightJob, simulation: Simulation, report: RunReport) -> JobResult:
    mismatches = tuple(map(str, report.mismatches))
    first = report.error.strip().rpartition("\n")[2] or next(iter(mismatches), "nothing was compared")
    if report.failure is None and report.explanation:  # that it could not be explained
        first += f"; {report.explanation}"
    is_bench_error = report.error_kind in ("internal", "input")
    status = Status.CRASHED if is_bench_error else Status.FAILED
    return JobResult(
        job,
        Status.PASSED if report.passed else status,
        "" if report.passed else first,
        report.programs,
        report.comparisons,
        mismatches[:MISMATCHES_KEPT],
        _digest(report, mismatches),
        simulation.identity(job.name).build,
        failure_in(report),
        cycles=report.cycles,
        is_bench_error=is_bench_error,
    )


def _digest(report: RunReport, mismatches: tuple[str, ...]) -> str:
    """Return a digest of what the chip gave: what the model says, but for these mismatches."""
    found = [report.error_kind, report.programs, report.comparisons, sorted(mismatches)]
    stimulus = report.payload.get("stimulus")
    return hashlib.sha256(json.dumps([*found, stimulus]).encode()).hexdigest()[:16]


class _Meter:
    """Measures what a job takes, from its making on."""

    def __init__(self) -> None:
        self._began, self._simulations, self._bench = time.perf_counter(), *map(_cpu, _WHOSE)

    def read(self) -> Cost:
        seconds, (simulations, bench) = time.perf_counter() - self._began, map(_cpu, _WHOSE)
        return Cost(seconds, simulations - self._simulations, bench - self._bench, this_machine())


def _cpu(who: int) -> float:
    usage = getrusage(who)
    return usage.ru_utime + usage.ru_stime
