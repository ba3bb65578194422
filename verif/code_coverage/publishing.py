"""Where the code coverage of tests is kept: a directory a build, a file a simulation."""

from __future__ import annotations

import re
from pathlib import Path

from verif.code_coverage import counts
from verif.simulation.simulation import Simulation


def keep_counts(simulation: Simulation, test: str, directory: Path) -> None:
    """Keep what a simulation of a test that has passed counted.

    Counts of different RTL can name the very same points, so each build has a directory of its own.
    """
    of_build = directory / simulation.identity(test).build[:12]
    of_build.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w.-]+", "-", test).strip("-")
    taken = len(list(of_build.glob(f"{stem}-*.dat")))
    counts.keep_counts(simulation.code_counts, of_build / f"{stem}-{taken}.dat")
