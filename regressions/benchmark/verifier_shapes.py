"""All 484 verifier shapes of one target: compiled by themselves, and compiled, run and checked on the RTL.

`python -m` compiles them in a process of its own, where nothing is cached yet, and prints seconds.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from refmodel.language.programs import ProgramFamily, ScaleMode
from refmodel.language.target import MAX_CONTEXT, make_target
from regressions.rtl import RtlFailure, run_test
from regressions.terminal import show
from sequences.verifier_block import BlockShape, every_shape
from verif.simulation.plain_path import REPOSITORY

TARGET = "structured"
SCALES: ScaleMode = "model"
PROCESSES = 2
"""Simulations at a time, as many as the machine of the published figures has cores."""


def compilation_seconds() -> float:
    """Return the seconds that a fresh process needs to compile all shapes, its imports left out."""
    command = [sys.executable, "-m", "regressions.benchmark.verifier_shapes"]
    done = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, encoding="utf-8", errors="replace", check=True
    )
    return float(done.stdout)


def run_seconds(simulator: str, directory: Path) -> float:
    """Return the wall clock that two simulations need for all shapes, from start to verdict."""
    shapes = every_shape()
    shares = [shapes[number::PROCESSES] for number in range(PROCESSES)]
    began = time.perf_counter()
    with ThreadPoolExecutor(PROCESSES) as pool:
        running = [
            pool.submit(_run, simulator, share, directory / f"shapes-{simulator}-{number}")
            for number, share in enumerate(shares)
        ]
        programs = sum(each.result() for each in running)
    assert programs == len(shapes), "a shape was not run"
    return time.perf_counter() - began


def _run(simulator: str, shapes: list[BlockShape], directory: Path) -> int:
    """Run some shapes and return how many programs were compared."""
    family = {
        "target": TARGET, "target_seed": 1, "scales": SCALES, "shapes": shapes, "draft_tokens": [],
    }  # fmt: skip
    report = run_test(simulator, "language.LanguageTest", {"families": [family], "seed": 1}, directory)
    if not report.passed:
        raise RtlFailure(f"{simulator}: {report.mismatches[0]}; a bench that finds a mismatch is not timed")
    return report.programs


def main() -> None:
    """Compile every shape."""
    gc.freeze()  # as the bench does before it runs anything
    began = time.perf_counter()
    programs = ProgramFamily(make_target(TARGET), SCALES, MAX_CONTEXT).for_plain()
    for cached, rows in every_shape():
        programs.verifier(cached, rows)
    show(time.perf_counter() - began)


if __name__ == "__main__":
    main()
