"""Is a changed file of the RTL equivalent to the file as it is?

The question is asked for one clock cycle: from every state, reachable or not, and with every input, do both
versions have the same outputs and the same next state? A yes is a proof for every program. A no does not
prove the contrary: the state may be out of reach, or the difference never be looked at.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from sequences.whole_file import write_text
from verif.proofs.model import read_signals
from verif.proofs.netlist import cut_module
from verif.proofs.yosys import YosysRun, run_yosys
from verif.simulation.plain_path import REPOSITORY

RTL = REPOSITORY / "hdl" / "rtl"

SECONDS = 60.0
"""Of CPU time for one question; most take one or two."""

_PROVED = "SAT proof finished - no model found: SUCCESS!"


class Equivalence(Enum):
    """What the solver says of a changed file; the value says it for people."""

    PROVED = "equivalent, proved"
    DIFFERENT = "different in some state, which may be out of reach"
    UNKNOWN = "not proven"
    """Out of time or memory, or an error of a tool."""


@dataclass(frozen=True)
class EquivalenceResult:
    """The answer of one question."""

    verdict: Equivalence
    detail: str
    """What differs first, or why nothing is known; empty if proved."""
    cpu: float
    """Seconds of CPU time."""


def equivalent(file: str, changed: str, seconds: float = SECONDS) -> EquivalenceResult:
    """Compare a file below hdl/rtl with another text of it; each holds the one module that it is named after.

    Raises ToolError when pyosys is missing.
    """
    top = file.removesuffix(".sv")
    original = (RTL / file).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="ga2-equivalence-") as name:
        directory = Path(name)
        cpu = 0.0
        modules = {}
        for version, text in (("gold", original), ("gate", changed)):
            (directory / version).mkdir()
            write_text(directory / version / file, text)
            run = run_yosys(_read_script(file, top, version), directory, seconds)
            cpu += run.cpu
            netlist = directory / f"{version}.json"
            if run.status != 0 or not netlist.exists():
                return EquivalenceResult(Equivalence.UNKNOWN, _complaint(run), cpu)
            modules[version] = cut_module(json.loads(netlist.read_text(encoding="utf-8"))["modules"][top])
        if different := _ports(modules["gold"]) ^ _ports(modules["gate"]):
            return EquivalenceResult(Equivalence.DIFFERENT, f"only one version has {min(different)}", cpu)
        write_text(directory / "both.json", json.dumps({"creator": "ga2", "modules": modules}))
        run = run_yosys(_COMPARE, directory, seconds)
        cpu += run.cpu
        if run.status == 0 and _PROVED in run.output:
            return EquivalenceResult(Equivalence.PROVED, "", cpu)
        model = directory / "model.json"
        if run.status != 0 or not model.exists():
            return EquivalenceResult(Equivalence.UNKNOWN, _complaint(run), cpu)
        return EquivalenceResult(Equivalence.DIFFERENT, _first_difference(model), cpu)


def _read_script(file: str, top: str, version: str) -> str:
    others = (RTL / "ga2.f").read_text(encoding="utf-8").split()
    paths = [
        f"{version}/{file}" if path.endswith(f"/{file}") else str(REPOSITORY / path)
        for path in others
        if not path.endswith("ga2_invariants.sv")
    ]
    return "\n".join(
        (
            "read_verilog -sv -DSYNTHESIS " + " ".join(f'"{path}"' for path in paths),
            f"hierarchy -check -top {top}",
            "proc -noopt",
            "memory_collect",
            "opt_clean",
            f"write_json {version}.json\n",
        )
    )


_COMPARE = """\
read_json both.json
miter -equiv -make_outputs -flatten gold gate both
hierarchy -top both
opt -full
sat -set-def-inputs -prove trigger 0 -show-outputs -dump_json model.json both
"""


def _ports(module: dict[str, object]) -> set[str]:
    ports = module["ports"]
    assert isinstance(ports, dict)
    return set(ports)


def _first_difference(model: Path) -> str:
    """Return the name of an output in which the two versions differ in the solver's model."""
    values = {}
    for signal in read_signals(model):
        values[signal["name"]] = (signal["wave"], signal.get("data"))
    for name, value in sorted(values.items()):
        other = values.get(name.replace("gold_", "gate_", 1))
        if name.startswith("gold_") and other is not None and other != value:
            return str(name).removeprefix("gold_").removeprefix("cut.")
    return "an output"


def _complaint(run: YosysRun) -> str:
    return "out of time" if run.status is None else run.last_words
