"""Runs the harness without Python, to measure what the bench costs on top of it (hdl/tb/ga2_tb_bare.sv)."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from refmodel.machine.bundle import Bundle
from verif.simulation.plain_path import plain_path
from verif.simulation.process_group import OutOfTimeError
from verif.simulation.sim_make import complaint, run_make
from verif.simulation.simulation import DEFAULT_TIMEOUT, SimulationError
from verif.simulation.simulation_log import read_log
from verif.simulation.time_limit import time_limit

SUMMARY = re.compile(r"^BARE programs=(\d+) runs=(\d+) cycles=(\d+)$", re.MULTILINE)
PROBLEM = re.compile(r"^BARE error: .*$", re.MULTILINE)


@dataclass(frozen=True)
class BareRun:
    """How fast the harness runs programs by itself."""

    cycles: int
    """Cycles of the programs in the measured rounds."""
    seconds: float
    """Wall clock of those rounds; loading and start-up are subtracted."""

    @property
    def cycles_per_second(self) -> float:
        """Speed."""
        return self.cycles / self.seconds


def measure_bare(simulator: str, bundles: Sequence[Bundle], rounds: int, directory: Path) -> BareRun:
    """Run each bundle `rounds` times, from the very build that the bench uses.

    Start-up and loading are taken out by the difference to a run of a single round. The scratchpad is not
    preset. Raises SimulationError.
    """
    assert rounds > 1, "one round is what is subtracted"
    short_cycles, short_seconds = _run(simulator, bundles, 1, directory)
    cycles, seconds = _run(simulator, bundles, rounds, directory)
    return BareRun(cycles - short_cycles, seconds - short_seconds)


def _run(simulator: str, bundles: Sequence[Bundle], rounds: int, directory: Path) -> tuple[int, float]:
    directory = directory.resolve()
    directory.mkdir(parents=True, exist_ok=True)
    manifest = directory / "manifest.txt"
    lines = [_write_images(directory, number, bundle, rounds) for number, bundle in enumerate(bundles)]
    manifest.write_text("".join(lines), encoding="ascii")
    log = directory / "sim.log"
    log.unlink(missing_ok=True)
    began = time.perf_counter()
    try:
        status, output = run_make(
            f"bare-{simulator}",
            {"RUN_DIR": directory, "BARE": plain_path(manifest), "PLUSARGS": "", "WAVES": ""},
            limit=time_limit(DEFAULT_TIMEOUT),
        )
    except OutOfTimeError as error:
        raise SimulationError(
            f"the bare harness on {simulator} was killed after {error.clock:.0f} s by the clock "
            f"({error.cpu:.0f} s of CPU time)"
        ) from None
    seconds = time.perf_counter() - began
    if status != 0:
        raise SimulationError(complaint(output))
    text = read_log(log)
    summary, problem = SUMMARY.search(text), PROBLEM.search(text)
    if summary is None or problem is not None:
        what = problem.group() if problem else "it printed no summary"
        raise SimulationError(f"the bare harness failed on {simulator}: {what}; its output is in {log}")
    programs, runs, cycles = map(int, summary.groups())
    assert (programs, runs) == (len(bundles), len(bundles) * rounds), "the bare harness lost a program"
    return cycles, seconds


def _write_images(directory: Path, number: int, bundle: Bundle, rounds: int) -> str:
    """Write one program's images for $readmemh; return its line of the manifest."""
    code, image = (directory / f"{number}.{part}.hex" for part in ("code", "ext"))
    words = np.zeros(bundle.ext_words, np.uint32)
    words[: len(bundle.ext)] = bundle.ext
    code.write_text("".join(f"{word:032x}\n" for word in bundle.code or (0,)), encoding="ascii")
    image.write_text("".join(f"{word:08x}\n" for word in words.tolist()), encoding="ascii")
    count = max(len(bundle.code), 1)
    return (
        f"{plain_path(code)} {plain_path(image)} {count} {bundle.ext_words} {bundle.read_latency} {rounds}\n"
    )
