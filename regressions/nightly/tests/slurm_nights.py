"""Nights on a private Slurm: jobs that wait for a word, and how often each was begun.

    python -m regressions.nightly.tests.slurm_nights NIGHT

runs what is missing of one, for a test that kills its client.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from regressions.nightly.farm import Farm
from regressions.nightly.job import NightJob
from regressions.nightly.night import Night, begin_night, open_night, plan_now
from regressions.nightly.result import JobResult, Status
from regressions.nightly.running import run_jobs_left
from regressions.nightly.slurm_engine import SlurmEngine
from regressions.nightly.tests.fakes import job, simulate
from regressions.nightly.tests.processes import processes_of, wait_until
from verif.simulation.guarded_process import guarded_process

FARM = Farm(workers=2, memory="1GB", walltime="0:30:00", interface="lo")

_WAIT_FOR_GO = 'until [ -e "$0/go" ]; do sleep 0.1; done'


def night_of(directory: Path, *jobs: NightJob) -> Night:
    return begin_night(plan_now("smoke", 1, jobs), directory)


def held(number: int) -> list[NightJob]:
    """Return jobs whose simulations run until `go`."""
    return [job(f"h-{each}", "hold") for each in range(number)]


def go(night: Night) -> None:
    (night.directory / "go").touch()


def engine_for(night: Night, workers: int = 2, farm: Farm = FARM) -> SlurmEngine:
    farm = farm.model_copy(update={"workers": workers})
    return SlurmEngine(farm, night.directory / "workers", workers)


def run_meanwhile(night: Night, engine: SlurmEngine, meanwhile: Callable[[], None]) -> list[JobResult]:
    """Run what is missing of a night while something else happens; return the results as they were told."""
    told: list[JobResult] = []
    failed: list[BaseException] = []

    def act() -> None:
        try:
            meanwhile()
        except BaseException as error:
            failed.append(error)
            engine.give_up(error)

    acting = threading.Thread(target=act, daemon=True)
    acting.start()
    run_jobs_left(night, engine, simulate_noted, told.append)
    acting.join()
    for error in failed:
        raise error
    return told


def simulate_noted(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
    """As `fakes.simulate`, but it notes that the job was begun, and knows `hold`."""
    with (night / "starts").open("a") as file:
        file.write(f"{job.name}\n")
    if job.parameters["do"] == "hold":
        environment = {**os.environ, "NIGHT": str(night)}
        with guarded_process(["bash", "-c", _WAIT_FOR_GO, str(night)], Path.cwd(), environment) as process:
            process.communicate()
    return simulate(job, directory, night, deeply)


def starts(night: Night) -> Counter[str]:
    """Return how often each job was begun, whatever became of it."""
    return Counter((night.directory / "starts").read_text().split())


def simulations(night: Night) -> list[int]:
    """Return the processes that wait for `go`."""
    found = []
    for process in processes_of(night.directory):
        with suppress(OSError):
            if Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"bash\0-c\0until"):
                found.append(process)
    return found


def wait_for_simulations(night: Night, number: int = 2) -> None:
    wait_until(lambda: len(simulations(night)) == number, f"{number} simulations run", 90)


def done(night: Night) -> list[JobResult]:
    return [result for _, result in night.results() if result]


def assert_all_passed(night: Night, told: list[JobResult], begun_twice: int = 0) -> None:
    """Check that each job has one result, and that none was begun again but for so many."""
    names = sorted(each.name for each in night.plan.jobs)
    assert sorted(result.job.name for result in told) == names, "each is told once"
    assert sorted(result.job.name for result in done(night)) == names, "each has a result"
    assert {result.status for result in done(night)} == {Status.PASSED}
    assert starts(night) == Counter({result.job.name: result.attempt for result in done(night)})
    assert starts(night).total() == len(names) + begun_twice
    assert max(starts(night).values()) == (2 if begun_twice else 1)


if __name__ == "__main__":
    running = open_night(Path(sys.argv[1]))
    run_jobs_left(running, engine_for(running, 3), simulate_noted, lambda _: None)
