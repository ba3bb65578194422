"""What a farm costs: jobs that sleep, on two workers of a private Slurm.

    python -m regressions.nightly.tests.farm_overhead [JOBS] [SECONDS]

prints the wall clock of the jobs (10 of 60 s) beside what they must take, and how long workers took to come.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from regressions.nightly.running import run_jobs_left
from regressions.nightly.tests.fakes import job, simulate
from regressions.nightly.tests.private_slurm import private_slurm
from regressions.nightly.tests.processes import wait_until
from regressions.nightly.tests.slurm_nights import engine_for, night_of

WORKERS = 2


def main(jobs: int, seconds: float) -> None:
    """Measure, and print what was found."""
    with private_slurm() as slurm, tempfile.TemporaryDirectory() as directory:
        os.environ["SLURM_CONF"] = str(slurm.configuration)
        night = night_of(
            Path(directory), *(job(f"s-{each}", "sleep", seconds=seconds) for each in range(jobs))
        )
        began = time.monotonic()
        with closing(engine_for(night, WORKERS)) as engine:
            wait_until(lambda: engine.standing().here == WORKERS, "all workers are there", 300)
            ready = time.monotonic()
            run_jobs_left(night, engine, simulate, lambda _: None)
            ended = time.monotonic()
        closed = time.monotonic()
    ideal = -(-jobs // WORKERS) * seconds
    load = os.getloadavg()[0]
    print(f"{jobs} jobs of {seconds:g} s on {WORKERS} workers, load average {load:.1f} at the end")
    print(f"workers ready after {ready - began:.1f} s; let go in {closed - ended:.1f} s")
    for name, took in (("jobs alone", ended - ready), ("with start and end of the workers", closed - began)):
        print(f"{name}: {took:.1f} s, {100 * (took - ideal) / ideal:.2f} % more than {ideal:g} s")


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:]]
    main(*(given or [10, 60]))
