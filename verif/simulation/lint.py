"""Both simulators' own lint."""

from __future__ import annotations

import subprocess
from pathlib import Path

from verif.simulation.chip import Chip
from verif.simulation.icarus import icarus_program
from verif.simulation.tool_sources import BUILDS, TIMESCALE, TOP, words
from verif.simulation.verilator import verilator_environment, verilator_program


def lint(chip: Chip) -> str:
    """Return what the simulators find in the chip alone and in its harness; empty if nothing.

    A warning is an error. Each waiver in hdl/lint/*.vlt states its reason. Icarus returns 0 after a warning:
    any output counts.
    """
    waivers = sorted(map(str, Path("hdl/lint").glob("*.vlt")))
    verilate = [verilator_program(), "--lint-only", "-Wall", "--quiet", "--timing", "--assert"]
    verilate += ["--timescale", TIMESCALE, *waivers]
    listed = BUILDS / "lint.f"
    listed.write_text("".join(f"{line}\n" for line in words(chip.bench_sources)), encoding="utf-8")
    icarus = [icarus_program("IVERILOG"), "-g2012", "-Wall", "-Wno-timescale", "-t", "null", "-s", TOP]
    commands = [
        [*verilate, "--top-module", "ga2", *words(chip.sources)],
        [*verilate, "--top-module", TOP, *words(chip.bench_sources)],
        [*icarus, "-c", str(listed)],
    ]
    for command in commands:
        done = subprocess.run(
            command,
            env=verilator_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0 or done.stdout:
            return done.stdout or f"{command[0]} ended with status {done.returncode}"
    return ""
