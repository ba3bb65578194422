"""Runs Yosys in a process of its own, with limits of CPU time and memory.

An error of Yosys ends its process, and a proof may take for ever; neither must touch the caller.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from sequences.whole_file import write_text
from verif.simulation.process_group import OutOfTimeError, run_in_group
from verif.simulation.time_limit import time_limit
from verif.simulation.tools import ToolError, tool_environment

MEMORY = 3 << 30
"""Bytes of address space; the whole chip takes a quarter of it."""

_PROGRAM = "from pyosys import libyosys; libyosys.run_pass('script script.ys', libyosys.Design())"

_LIMITED = 'ulimit -S -c 0 -t "$0" -v "$1"; shift; "$@"; status=$?; times >&2; exit "$status"'
"""A shell that sets the limits, in seconds and KiB, and prints the CPU time after the command's output."""

_OUT_OF_CPU = 128 + 24  # SIGXCPU, as a shell reports it

_TIMES = re.compile(r"\n?(?:\d+m[\d.]+s \d+m[\d.]+s\n){1}(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n?\Z")


@dataclass(frozen=True)
class YosysRun:
    """What a script came to."""

    status: int | None
    """The exit status; None if it was ended at its limit of time."""
    output: str
    cpu: float
    """Seconds of CPU time."""

    @property
    def last_words(self) -> str:
        """Yosys' error, or else the last line that it printed."""
        lines = [line for line in self.output.splitlines() if line.strip()]
        errors = [line for line in lines if "ERROR:" in line]
        return [*(lines or ["Yosys printed nothing"]), *errors][-1]


def run_yosys(script: str, directory: Path, seconds: float, memory: int = MEMORY) -> YosysRun:
    """Run a script, whose paths start at `directory`, with so many seconds of CPU time. Raises ToolError."""
    if importlib.util.find_spec("pyosys") is None:
        raise ToolError("this Python has no pyosys: run 'make setup' first")
    write_text(directory / "script.ys", script)
    limit = time_limit(seconds)
    command = ["bash", "-c", _LIMITED, str(limit.whole_seconds), str(memory >> 10)]
    command += [sys.executable, "-c", _PROGRAM]
    try:
        status, output = run_in_group(command, directory, tool_environment(), limit.clock)
    except OutOfTimeError as error:
        return YosysRun(None, "", error.cpu)
    times = _TIMES.search(output)
    cpu = sum(60 * int(times[i]) + float(times[i + 1]) for i in (1, 3)) if times else 0.0
    text = output[: times.start()] if times else output
    return YosysRun(None if status == _OUT_OF_CPU else status, text, cpu)
