"""The memory back door's C library, which is for both simulators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from verif.simulation.kept_build import KeptBuild, run_logged
from verif.simulation.tool_sources import BUILDS
from verif.simulation.tools import found_program, tool_environment, verilator_root
from verif.simulation.verilator import verilator_versions

NATIVE_SOURCE = "verif/bfm/native/vpi_memory.c"
NATIVE_LIBRARY = BUILDS / "native" / "libvpi_memory.so"


def native_build() -> KeptBuild:
    """Return its build; the standard VPI headers come from Verilator."""
    include = verilator_root() / "include" / "vltstd"
    command = ["gcc", "-std=c11", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", f"-I{include}"]
    command += ["-o", str(NATIVE_LIBRARY), NATIVE_SOURCE]

    def compile_all(log: IO[str]) -> Sequence[str]:
        run_logged([found_program("gcc", "g++"), *command[1:]], log, tool_environment())
        return [NATIVE_SOURCE]

    return KeptBuild(NATIVE_LIBRARY.parent, [*command, *verilator_versions()], (), compile_all)
