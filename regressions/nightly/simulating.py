"""One job in its worker: simulated, judged, and explained if it fails."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from regressions.keeping_coverage import keep_coverage
from regressions.nightly.job import NightJob
from regressions.nightly.machine import this_machine
from regressions.nightly.result import Cost, JobResult, Status
from regressions.nightly.signature import failure_in
from verif.coverage.model import load_model
from verif.failure.investigation import run_explained
from verif.run_report import RunReport
from verif.simulation import (
    BrokenSimulationError,
    NoSpaceError,
    Simulation,
    SimulationError,
    SimulationTimeout,
)

MISMATCHES_KEPT = 10


def simulate(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
    """Run a job in a directory of its own; what it leaves for good goes below `night`.

    A failure is explained; `deeply` also shows and shrinks it. Raises NoSpaceError when there is nowhere to
    write: that is no result.
    """
    simulation = _simulation(job, directory / "simulation")
    return _measured(lambda: _run(job, simulation, night, deeply))


def counts_code(job: NightJob) -> bool:
    """Does it need the build that counts code coverage? Icarus has none."""
    return job.build == "coverage" and job.simulator == "verilator"


def _simulation(job: NightJob, directory: Path) -> Simulation:
    return Simulation(
        job.simulator,
        job.test,
        directory,
        job.parameters,
        job.initial_seed,
        job.timeout,
        coverage=True,
        code_coverage=counts_code(job),
    )


def _run(job: NightJob, simulation: Simulation, night: Path, deeply: bool) -> JobResult:
    try:
        report = run_explained(simulation, night / "failures", shrink=deeply, window=deeply)
    except SimulationTimeout as error:
        return JobResult(job, Status.TIMEOUT, str(error).partition(";")[0])
    except BrokenSimulationError as error:
        if error.is_killed:
            return JobResult(job, Status.KILLED, str(error).partition("; the whole")[0])
        return JobResult(job, Status.CRASHED, str(error), failure=failure_in(error))
    except NoSpaceError:
        raise
    except SimulationError as error:
        return JobResult(job, Status.CRASHED, str(error))
    if report.passed:
        database, counts = (
            night / "coverage" / f"{job.name}.json",
            night / "code-coverage" / f"{job.name}.dat",
        )
        keep_coverage(simulation, job.stimulus, load_model(), database, counts)
    return _judged(job, simulation, report)


def _judged(job: NightJob, simulation: Simulation, report: RunReport) -> JobResult:
    mismatches = tuple(map(str, report.mismatches))
    first = report.error.strip().rpartition("\n")[2] or next(iter(mismatches), "nothing was compared")
    if report.failure is None and report.explanation:  # that it could not be explained
        first += f"; {report.explanation}"
    is_ours = report.error_kind in ("internal", "input")  # a mistake in the bench or in the list
    status = Status.CRASHED if is_ours else Status.FAILED
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
    )


def _digest(report: RunReport, mismatches: tuple[str, ...]) -> str:
    """Return a digest of what the chip gave: what the model says, but for these mismatches."""
    found = [report.error_kind, report.programs, report.comparisons, sorted(mismatches)]
    stimulus = report.payload.get("stimulus")
    return hashlib.sha256(json.dumps([*found, stimulus]).encode()).hexdigest()[:16]


def _measured(run: Callable[[], JobResult]) -> JobResult:
    began, simulations, bench = time.perf_counter(), _cpu(RUSAGE_CHILDREN), _cpu(RUSAGE_SELF)
    result = run()
    seconds = time.perf_counter() - began
    simulation_cpu, bench_cpu = _cpu(RUSAGE_CHILDREN) - simulations, _cpu(RUSAGE_SELF) - bench
    cost = Cost(seconds, simulation_cpu, bench_cpu, this_machine())
    return replace(result, cost=cost)


def _cpu(who: int) -> float:
    usage = getrusage(who)
    return usage.ru_utime + usage.ru_stime
