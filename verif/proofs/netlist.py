"""A module as Yosys' JSON, in which everything that holds state is cut out.

What is left is combinational: the outputs of registers, memories and submodules become inputs, and their
inputs become outputs. Two modules whose cut versions agree do the same from any state on, cycle after cycle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_REGISTERS = frozenset(("$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$adff", "$adffe", "$ff"))


def cut_module(module: Mapping[str, Any]) -> dict[str, Any]:
    """Return a module of a JSON netlist without its registers, memories and submodules.

    They are named after what they drive in the source, so that the ports of two versions of a module match.
    Clocks are left out: everything has the same.
    """
    names = _names(module["netnames"])
    ports = dict(module["ports"])
    cells = {}
    for name, cell in module["cells"].items():
        kind = cell["type"]
        if kind.startswith("$") and kind not in _REGISTERS and not kind.startswith("$mem"):
            cells[name] = cell
            continue
        key = names.get(tuple(cell["connections"].get("Q", ())), name)
        for port, bits in cell["connections"].items():
            if not bits or "CLK" in port or port == "clk_i":
                continue
            is_driven = cell["port_directions"][port] == "output"
            ports[f"cut.{key}.{port}"] = {"direction": "input" if is_driven else "output", "bits": bits}
    return {**module, "ports": ports, "cells": cells, "memories": {}}


def _names(netnames: Mapping[str, Any]) -> dict[tuple[Any, ...], str]:
    """Return the name in the source of each signal that has one, by its bits."""
    return {tuple(net["bits"]): name for name, net in netnames.items() if not net["hide_name"]}
