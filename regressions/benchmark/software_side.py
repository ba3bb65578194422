"""The software side of the published table, timed in a process of its own, where nothing is cached yet.

Models, calibration, every compilation and all decodings on the reference model; `python -m` prints seconds.
"""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import groupby

from refmodel.machine.machine import Machine
from refmodel.speculative.model_runner import run_on_model
from regressions.published.table import DecodingRow, decoding_rows
from regressions.terminal import show
from verif.simulation.plain_path import REPOSITORY


def software_side_seconds() -> float:
    """Return the seconds that a fresh process needs for the published decodings, its imports left out."""
    command = [sys.executable, "-m", "regressions.benchmark.software_side"]
    done = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, encoding="utf-8", errors="replace", check=True
    )
    return float(done.stdout)


def main() -> None:
    """Decode the rows under `shape` scales; wrong cycles would make the time meaningless."""
    rows = [row for row in decoding_rows() if row.request.scales == "shape"]
    began = time.perf_counter()
    for _, group in groupby(rows, key=lambda row: row.request.target):
        machine = Machine()
        for row in group:
            assert _cycles(row, machine) == row.published["cycles"], row.name
    show(time.perf_counter() - began)


def _cycles(row: DecodingRow, machine: Machine) -> int:
    loop = row.request.plain() if row.plain else row.request.speculative()
    return run_on_model(loop, machine).counters.cyc_total


if __name__ == "__main__":
    main()
