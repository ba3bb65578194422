"""Synthesizes the chip and proves what simulation cannot show: `python hdl/lint/synthesis_check.py`.

Reads hdl/rtl/ga2.f with pyosys and checks on the resulting cells that
  - nothing is a latch and Yosys' own `check` finds no problem (loops, several drivers, no driver);
  - the multipliers are where they belong: sixteen in the systolic array, one in the requantizer, one
    in softmax, none anywhere else;
  - the memories are memories: the scratchpad (synchronous read) and the two operand row memories;
  - no busy time is computed: top, sequencer and counters count nothing but the pc and the five
    counters, in steps of 1, and in the units nothing but a step of 1 is ever added to, or subtracted
    from, a length, a tile size or a register that took its value from one.

Exit status: 0 all hold, 1 one does not or the RTL does not synthesize, 2 pyosys is missing.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FILE_LIST = ROOT / "hdl" / "rtl" / "ga2.f"
TOP = "ga2"

MULTIPLIERS = {"ga2_systolic_row": 16, "ga2_requantizer": 1, "ga2_softmax": 1}
"""Multipliers of the whole chip by the module that holds them."""

MEMORIES = {"ga2_scratchpad": (4096, 32, 1), "ga2_operand_rows": (64, 32, 2)}
"""Memories by the module that holds them: words, bits a word, how many in the chip."""

MULTIPLIER_TYPES = {"$mul", "$macc", "$macc_v2"}
ARITHMETIC_TYPES = {"$add", "$sub", "$neg", "$alu", "$div", "$mod", "$pow", "$shl", "$shr", "$sshl"}
ARITHMETIC_TYPES |= MULTIPLIER_TYPES
FLIP_FLOP_TYPES = {"$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$adff", "$adffe"}
DECISION_PORTS = {"S", "CLK", "EN", "SRST", "ARST"}
"""Inputs of muxes and flip-flops that say whether a value passes, not which."""

CONTROL_STEPS = {TOP: 0, "ga2_sequencer": 1, "ga2_counters": 5}
"""All the arithmetic of the modules outside the units: steps of 1, of the pc and of the five counters."""

SIZE_PORTS = ("length_i", "rows_i", "depth_i", "columns_i")

Bit = int | str  # a net of the module, or a constant: "0", "1", "x", "z"

STEPS = (
    f"hierarchy -check -top {TOP}",
    "proc",
    "opt_expr",
    "opt_clean",
    "check -assert",
    "opt_dff",
    "opt_clean",
    "memory_dff",
    "memory_collect",
)


class SynthesisError(Exception):
    """Yosys refused the RTL; the message ends with what it said."""


@dataclass(frozen=True)
class Cell:
    """One cell of a synthesized module."""

    name: str
    type: str
    parameters: dict[str, int]
    inputs: dict[str, tuple[Bit, ...]]
    outputs: dict[str, tuple[Bit, ...]]


@dataclass(frozen=True)
class Module:
    """One module of the synthesized design; `copies` is how often the chip contains it."""

    name: str
    copies: int
    inputs: dict[str, tuple[Bit, ...]]
    cells: tuple[Cell, ...]

    def of_types(self, types: set[str]) -> Iterator[Cell]:
        """The cells of the given types."""
        return (cell for cell in self.cells if cell.type in types)


def run_yosys(sources: list[str]) -> dict[str, Any]:
    """Netlist of the sources in Yosys' JSON format; a process of its own, since an error ends it."""
    with tempfile.TemporaryDirectory() as folder:
        script, netlist = Path(folder) / "script.ys", Path(folder) / "netlist.json"
        read = f"read_verilog -sv -DSYNTHESIS {' '.join(sources)}"
        script.write_text("\n".join((read, *STEPS, f"write_json {netlist}")) + "\n")
        program = f"from pyosys import libyosys; libyosys.run_pass('script {script}', libyosys.Design())"
        command = [sys.executable, "-c", program]
        result = subprocess.run(
            command, cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace", check=False
        )
        if result.returncode != 0 or not netlist.exists():
            said = (result.stdout + result.stderr).strip().splitlines()[-8:]
            raise SynthesisError("the RTL does not synthesize. Yosys said:\n    " + "\n    ".join(said))
        parsed: dict[str, Any] = json.loads(netlist.read_text())
        return parsed


def copies_in_chip(modules: dict[str, Any]) -> Counter[str]:
    """How often the chip contains each module, the top itself once."""
    copies: Counter[str] = Counter()

    def visit(name: str) -> None:
        copies[name] += 1
        for cell in modules[name]["cells"].values():
            if cell["type"] in modules:
                visit(cell["type"])

    visit(TOP)
    return copies


def parse(netlist: dict[str, Any]) -> list[Module]:
    """The modules of a Yosys JSON netlist that are part of the chip."""
    copies = copies_in_chip(netlist["modules"])
    modules = []
    for name, count in copies.items():
        body = netlist["modules"][name]
        cells = []
        for cell_name, cell in body["cells"].items():
            numbers = {key: int(v, 2) for key, v in cell["parameters"].items() if set(v) <= {"0", "1"} and v}
            sides: dict[str, dict[str, tuple[Bit, ...]]] = {"input": {}, "output": {}}
            for port, bits in cell["connections"].items():
                sides[cell["port_directions"][port]][port] = tuple(bits)
            cells.append(Cell(cell_name, cell["type"], numbers, sides["input"], sides["output"]))
        ports = {p: tuple(v["bits"]) for p, v in body["ports"].items() if v["direction"] == "input"}
        modules.append(Module(name, count, ports, tuple(cells)))
    return modules


def check_latches(modules: list[Module]) -> Iterator[str]:
    """A latch or a set-reset cell is a fault."""
    for module in modules:
        for cell in module.cells:
            if "latch" in cell.type or cell.type == "$sr":
                yield f"{module.name}: {cell.type} {cell.name}: complete the assignment in every branch"


def check_multipliers(modules: list[Module]) -> Iterator[str]:
    """The multipliers stand where MULTIPLIERS says."""
    for module in modules:
        found = module.copies * sum(1 for _ in module.of_types(MULTIPLIER_TYPES))
        expected = MULTIPLIERS.get(module.name, 0)
        if found != expected:
            yield f"{module.name}: {found} multipliers in the chip, expected {expected}"
    for name in set(MULTIPLIERS) - {module.name for module in modules}:
        yield f"{name}: no such module in the chip, so its {MULTIPLIERS[name]} multipliers are missing"


def check_memories(modules: list[Module]) -> Iterator[str]:
    """Storage is inferred as memory, with the ports that the specification gives it."""
    found = {}
    for module in modules:
        for cell in module.of_types({"$mem_v2"}):
            found[module.name] = (cell.parameters["SIZE"], cell.parameters["WIDTH"], module.copies)
            ports = (cell.parameters["RD_PORTS"], cell.parameters["WR_PORTS"])
            if ports != (1, 1):
                yield f"{module.name}: {ports[0]} read and {ports[1]} write ports, expected one of each"
            if module.name == "ga2_scratchpad" and not cell.parameters["RD_CLK_ENABLE"]:
                yield f"{module.name}: the read port is not synchronous"
    if found != MEMORIES:
        yield f"memories (words, bits, copies) are {found}, expected {MEMORIES}"


def is_step(cell: Cell) -> bool:
    """Does the cell add or subtract the constant 1 and nothing else?"""
    if cell.type not in ("$add", "$sub"):
        return False
    constant = [bits for bits in cell.inputs.values() if set(bits) <= {"0", "1"}]
    return [sum(bit == "1" for bit in bits) for bits in constant] == [1] and constant[0][0] == "1"


def check_computed_times(modules: list[Module]) -> Iterator[str]:
    """Busy times are worked off step by step, never computed from a length or tile size."""
    for module in modules:
        arithmetic = list(module.of_types(ARITHMETIC_TYPES))
        allowed = CONTROL_STEPS.get(module.name)
        if allowed is not None and len(arithmetic) != allowed:
            yield f"{module.name}: {len(arithmetic)} places with arithmetic, expected {allowed}"
        sizes = {bit for port in SIZE_PORTS for bit in module.inputs.get(port, ())}
        derived = sizes | value_fanout(module, sizes)
        for cell in arithmetic:
            if is_step(cell):
                continue
            if allowed is not None:
                yield f"{module.name}: {cell.type} {cell.name} does more than count in steps of 1"
            elif any(bit in derived for bits in cell.inputs.values() for bit in bits):
                yield f"{module.name}: {cell.type} {cell.name} computes with a length or a tile size"


def value_fanout(module: Module, sources: set[Bit]) -> set[Bit]:
    """Nets that carry a value made of the sources, through registers, muxes and arithmetic but not
    through comparisons or logic: those give decisions, not counts."""
    carrying = ARITHMETIC_TYPES | FLIP_FLOP_TYPES | {"$mux", "$pmux"}
    reached: set[Bit] = set()
    grown = True
    while grown:
        grown = False
        for cell in module.of_types(carrying):
            data = {bit for port, bits in cell.inputs.items() if port not in DECISION_PORTS for bit in bits}
            result = {bit for bits in cell.outputs.values() for bit in bits}
            if data & (sources | reached) and not result <= reached:
                reached |= result
                grown = True
    return reached


def report_cells(modules: list[Module]) -> None:
    """Print what the chip consists of, as far as the checks look at it."""
    for module in sorted(modules, key=lambda module: module.name):
        kinds = Counter(cell.type for cell in module.of_types(ARITHMETIC_TYPES | {"$mem_v2"}))
        text = ", ".join(f"{count} {kind.removeprefix('$')}" for kind, count in sorted(kinds.items()))
        print(f"  {module.copies} x {module.name:<20} {text or '-'}")


def main() -> int:
    """Run every check and print a verdict beside each."""
    if importlib.util.find_spec("pyosys") is None:
        print("synthesis check: pyosys is not installed; run `make` once, it sets up .venv", file=sys.stderr)
        return 2
    try:
        modules = parse(run_yosys(FILE_LIST.read_text().split()))
    except SynthesisError as error:
        print(f"synthesis check: {error}", file=sys.stderr)
        return 1
    print(f"synthesis check of {FILE_LIST.relative_to(ROOT)}, arithmetic and memories of each module:")
    report_cells(modules)
    elsewhere = ", ".join(f"{n} in {name}" for name, n in MULTIPLIERS.items() if name != "ga2_systolic_row")
    checks = {
        "no latches": check_latches,
        f"multipliers: 16 in the systolic array; {elsewhere}": check_multipliers,
        "memories inferred": check_memories,
        "no busy time is computed": check_computed_times,
    }
    failed = False
    for title, check in checks.items():
        problems = list(check(modules))
        print(f"{'FAIL' if problems else 'ok':<5}{title}")
        for problem in problems:
            print(f"       {problem}")
        failed = failed or bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
