"""Synthesizes the chip in a process of its own: a Verilog netlist with the hierarchy and names of the RTL.

The scratchpad stays `u_scratchpad.mem` and its write port keeps its names, so the bench takes a netlist by
RTL= as it takes any chip.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from refmodel.errors import Ga2Error
from verif.proofs.yosys import run_yosys
from verif.simulation.plain_path import REPOSITORY

NETLISTS = REPOSITORY / "build" / "netlists"

SECONDS = 300.0
"""Of CPU time for a synthesis; the gate level takes 14."""

TOP = "ga2"
FILE_LIST = REPOSITORY / "hdl" / "rtl" / "ga2.f"


class SynthesisError(Ga2Error):
    """The RTL could not be synthesized."""


class Level(Enum):
    """How far synthesis goes; the value is its name for people and files."""

    WORDS = "words"
    """Adders, multiplexers and registers of whole words, which Icarus simulates at a bearable speed."""
    GATES = "gates"
    """Single gates and flip-flops; memories stay arrays. `abc` is left out: it hangs inside pyosys."""


_STEPS = {
    Level.WORDS: ("proc", "opt", "memory_collect"),
    Level.GATES: (
        *("proc", "opt", "fsm", "wreduce", "peepopt", "alumacc", "share"),
        *("memory -nomap", "techmap", "opt"),
    ),
}


@dataclass(frozen=True)
class Netlist:
    """One netlist."""

    level: Level
    path: Path
    """The Verilog file; it serves as `Simulation.rtl`."""
    cells: Mapping[str, int]
    """Cells of each module by its name, those of its submodules not counted, for one copy of it."""
    copies: Mapping[str, int]
    """How often the chip contains each module."""
    cpu: float
    """Seconds of CPU time that synthesis took."""

    @property
    def total(self) -> int:
        """Cells of the whole chip."""
        return sum(count * self.copies[name] for name, count in self.cells.items())


def synthesize(level: Level, directory: Path = NETLISTS, seconds: float = SECONDS) -> Netlist:
    """Synthesize the project's RTL into a directory, which is made if missing.

    Raises SynthesisError, and ToolError when pyosys is missing.
    """
    work = directory / level.value
    work.mkdir(parents=True, exist_ok=True)
    netlist, statistics = work / "ga2.v", work / "cells.json"
    for path in (netlist, statistics):
        path.unlink(missing_ok=True)
    sources = " ".join(
        f'"{REPOSITORY / line}"' for line in FILE_LIST.read_text(encoding="utf-8").split() if line
    )
    script = "\n".join(
        (
            f"read_verilog -sv -DSYNTHESIS {sources}",
            f"hierarchy -check -top {TOP}",
            *_STEPS[level],
            f"tee -q -o {statistics.name} stat -json",
            f"write_verilog -noattr {netlist.name}\n",
        )
    )
    run = run_yosys(script, work, seconds)
    if run.status != 0 or not netlist.exists() or not statistics.exists():
        why = "out of time" if run.status is None else run.last_words
        raise SynthesisError(f"synthesis of {TOP} ({level.value}) failed: {why}")
    cells, copies = _count(json.loads(statistics.read_text(encoding="utf-8")))
    return Netlist(level, netlist, cells, copies, run.cpu)


def _count(statistics: Mapping[str, object]) -> tuple[dict[str, int], dict[str, int]]:
    """Return cells and copies of each module from what `stat -json` has written."""
    modules = statistics["modules"]
    assert isinstance(modules, dict)
    types = {name.removeprefix("\\"): module["num_cells_by_type"] for name, module in modules.items()}
    cells = {
        name: sum(count for kind, count in kinds.items() if kind.removeprefix("\\") not in types)
        for name, kinds in types.items()
    }
    if TOP not in cells or not any(cells.values()):
        raise SynthesisError(f"synthesis of {TOP} left no cells")
    copies = dict.fromkeys(types, 0)

    def visit(name: str, times: int) -> None:
        copies[name] += times
        for kind, count in types[name].items():
            if kind.removeprefix("\\") in types:
                visit(kind.removeprefix("\\"), times * count)

    visit(TOP, 1)
    return cells, copies
