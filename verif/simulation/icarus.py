"""How Icarus Verilog is built for and run: its command lines, which nothing else knows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from verif.simulation.chip import Chip
from verif.simulation.kept_build import KeptBuild, run_logged
from verif.simulation.tool_sources import BUILDS, TIMESCALE, TOP, searched, variant, words
from verif.simulation.tools import cocotb_root, first_line, found_program, tool_environment


@dataclass(frozen=True)
class Icarus:
    """Icarus Verilog with a chip in its harness."""

    chip: Chip

    @property
    def directory(self) -> Path:
        """Where it is built."""
        return BUILDS / f"icarus{variant(self.chip)}"

    def build(self) -> KeptBuild:
        """Return the build. Sources go into a command file: Icarus knows +define+ and +incdir+ only there."""
        directory = self.directory
        compiler = icarus_program("IVERILOG")
        options = words(self.chip.bench_sources)
        listed = directory / "files.f"
        read = directory / "read.txt"
        command = [
            *(compiler, "-g2012", "-o", str(directory / "ga2.vvp"), "-s", TOP),
            *(f"-Mall={read}", "-c", str(listed)),
        ]

        def compile_all(log: IO[str]) -> Sequence[str]:
            lines = [f"+timescale+{TIMESCALE}", *options]
            listed.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            run_logged(command, log, tool_environment())
            return read.read_text(encoding="utf-8").splitlines()

        recipe = [*command, *options, first_line(compiler, "-V")]
        return KeptBuild(directory, recipe, searched(self.chip.bench_sources), compile_all)

    def command(self, *, cocotb: bool, dumps: bool) -> list[str]:
        """Return the command that simulates."""
        library = str(cocotb_root() / "libs" / "libcocotbvpi_icarus.so")
        return [
            icarus_program("VVP"),
            *(("-m", library) if cocotb else ()),
            str(self.directory / "ga2.vvp"),
            "-fst" if dumps else "-none",
        ]


def icarus_program(variable: str) -> str:
    """Return one of Icarus's programs, which a variable of the environment may name."""
    return found_program(os.environ.get(variable) or variable.lower(), "iverilog")
