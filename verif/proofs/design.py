"""Makes the design of a proof: a module of the chip, its properties inside it, as Yosys' JSON."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from sequences.whole_file import write_text
from verif.proofs.proof import Proof
from verif.proofs.yosys import YosysRun, run_yosys
from verif.simulation.plain_path import REPOSITORY

RTL = REPOSITORY / "hdl" / "rtl"
FORMAL = REPOSITORY / "hdl" / "formal"
BENCH = REPOSITORY / "hdl" / "tb"

HOLD = "ok"
"""Name of the net that is 1 while all properties hold; `ok.NAME` belongs to one of them."""

COVER = "cover."
"""Beginning of the names of nets that are 1 where a cover is reached."""

_TURN = "ga2_turn_properties.sv"
_CONTRACT = """\
  logic valid_o;
  logic [15:0] busy_o;
  ga2_turn_contract u_contract (.*);
  always_comb assume (working_o || !({}));
"""
_ACCESSES = ("read_o", "write_o", "req_valid_o", "wr_valid_o")
_OTHER_SIDE = {"assert (": "assume (", "assume (": "assert ("}

Sources = Mapping[str, str]
"""Texts of modules that take the place of the project's, by the name of their file."""


class DesignError(Ga2Error):
    """The design cannot be made; the message ends with what Yosys said."""

    def __init__(self, message: str, run: YosysRun) -> None:
        """Keep what it cost."""
        super().__init__(message)
        self.cpu = run.cpu


@dataclass(frozen=True)
class Design:
    """The netlist of a module with its properties."""

    proof: Proof
    document: dict[str, Any]
    """Yosys' JSON: assertions are nets, assumptions are left."""
    properties: tuple[str, ...]
    covers: tuple[str, ...]
    cpu: float
    """Seconds of CPU time that it took."""


def design_of(proof: Proof, directory: Path, changed: Sources | None = None) -> Design:
    """Read the sources of a proof, some of which may be changed. Raises DesignError and ToolError."""
    names = _copy_sources(proof, directory, changed or {})
    run = run_yosys(
        "\n".join(
            (
                f"read_verilog -sv -formal -DSYNTHESIS -DFORMAL {' '.join(names)}",
                f"hierarchy -check -top {proof.top}",
                "proc",
                "flatten",
                *(f"connect -nounset -set u_properties.{net} {signal}" for net, signal in proof.inside),
                f"prep -top {proof.top} -nordff",
                "chformal -lower",
                "async2sync",
                "memory_map",
                "opt -full",
                "check -assert",
                "write_json design.json\n",
            )
        ),
        directory,
        proof.seconds,
    )
    path = directory / "design.json"
    if run.status != 0 or not path.exists():
        reason = "out of time" if run.status is None else run.last_words
        raise DesignError(f"the design cannot be made: {reason}", run)
    document = json.loads(path.read_text(encoding="utf-8"))
    return _design(proof, document, run.cpu)


def _copy_sources(proof: Proof, directory: Path, changed: Sources) -> list[str]:
    """Copy the chip's files in compile order, and those of the properties; return their names."""
    rtl = [Path(line).name for line in (RTL / "ga2.f").read_text(encoding="utf-8").split()]
    texts = {name: (RTL / name).read_text(encoding="utf-8") for name in rtl if name != "ga2_invariants.sv"}
    for module in (*proof.helpers, proof.properties):
        folder = FORMAL if (FORMAL / f"{module}.sv").exists() else BENCH
        texts[f"{module}.sv"] = (folder / f"{module}.sv").read_text(encoding="utf-8")
    for module in proof.units:
        texts[f"{module}.sv"] = stub_of(texts[f"{module}.sv"], is_unit=True)
    for module in proof.stubs:
        texts[f"{module}.sv"] = stub_of(texts[f"{module}.sv"])
    if proof.units:
        texts["ga2_turn_contract.sv"] = contract_of((FORMAL / _TURN).read_text(encoding="utf-8"))
    unknown = changed.keys() - texts.keys()
    if unknown:
        raise Ga2Error(f"{min(unknown)} is not part of the proof {proof.name}")
    texts |= changed
    top = f"{proof.top}.sv"
    body, end, rest = texts[top].rpartition("endmodule")
    texts[top] = f"{body}\n  {proof.properties} u_properties (.*);\n\n{end}{rest}"
    for name, text in texts.items():
        write_text(directory / name, text)
    return list(texts)


def stub_of(text: str, *, is_unit: bool = False) -> str:
    """Return a module that has the ports of another one, and outputs that are anything at all.

    Of a unit they are anything that its contract allows; its own proof shows that it keeps it.
    """
    head, end, _ = text.partition("\n);\n")
    head = re.sub(r"\b(?:output|input) logic signed\b", lambda found: found[0].removesuffix(" signed"), head)
    ports = re.findall(r"output logic\s*(\[[^\]]+\])?\s*(\w+)", head)
    nets = "".join(
        f"  (* anyseq *) logic {width} any_{port};\n  assign {port} = any_{port};\n" for width, port in ports
    )
    accesses = [port for _, port in ports if port in _ACCESSES]
    body = _CONTRACT.format(" || ".join(accesses)) if is_unit else ""
    return f"{head}{end}{nets}{body}endmodule\n"


def contract_of(text: str) -> str:
    """Return properties with the sides changed: what a unit promises is assumed, and the other way round."""
    swapped = re.sub(r"\bass(ert|ume) \(", lambda found: _OTHER_SIDE[found[0]], text)
    return swapped.replace("module ga2_turn_properties", "module ga2_turn_contract")


def _design(proof: Proof, document: dict[str, Any], cpu: float) -> Design:
    """Turn assertions and covers into nets, so that each can be asked for and shown."""
    module = copy.copy(document["modules"][proof.top])
    cells: dict[str, Any] = {}
    nets = dict(module["netnames"])
    fresh = 1 + max((bit for net in nets.values() for bit in net["bits"] if isinstance(bit, int)), default=0)
    properties: dict[str, int] = {}
    covers: dict[str, Any] = {}
    for name, cell in module["cells"].items():
        kind, connections = cell["type"], cell["connections"]
        if kind == "$assert":
            short = _short(name)
            broken, holds, fresh = fresh, fresh + 1, fresh + 2
            cells[f"broken.{short}"] = _gate("$not", [broken], A=connections["EN"])
            cells[f"holds.{short}"] = _gate("$or", [holds], A=connections["A"], B=[broken])
            properties[short] = holds
        elif kind == "$cover":
            reached, fresh = fresh, fresh + 1
            cells[f"reached.{_short(name)}"] = _gate(
                "$and", [reached], A=connections["A"], B=connections["EN"]
            )
            covers[_short(name)] = reached
        elif kind not in proof.cut:
            cells[name] = cell
    cells["all.hold"] = _gate("$reduce_and", [fresh], A=list(properties.values()))
    nets[HOLD] = _net(fresh)
    nets |= {f"{HOLD}.{name}": _net(bit) for name, bit in properties.items()}
    nets |= {f"{COVER}{name}": _net(bit) for name, bit in covers.items()}
    changed = {**module, "cells": cells, "netnames": nets}
    return Design(proof, {**document, "modules": {proof.top: changed}}, tuple(properties), tuple(covers), cpu)


def _short(cell: str) -> str:
    """Return the name of a property without what all have in common; yosys names one that has none."""
    return cell.removeprefix("u_properties.").replace("u_turn.", "turn.").replace("u_contract.", "")


def _net(bit: int) -> dict[str, Any]:
    return {"hide_name": 0, "bits": [bit], "attributes": {}}


def _gate(kind: str, output: list[int], **inputs: list[Any]) -> dict[str, Any]:
    parameters = {f"{port}_WIDTH": len(bits) for port, bits in (*inputs.items(), ("Y", output))}
    parameters |= {f"{port}_SIGNED": 0 for port in inputs}
    return {
        "hide_name": 0,
        "type": kind,
        "parameters": {name: f"{value:032b}" for name, value in parameters.items()},
        "attributes": {},
        "port_directions": {**dict.fromkeys(inputs, "input"), "Y": "output"},
        "connections": {**inputs, "Y": output},
    }
