"""A rule of the harness that was broken in a run in which every event and all of memory was right."""

from __future__ import annotations

from collections.abc import Mapping

from refmodel.machine.trace import Trace
from verif.bfm.check import Check
from verif.bfm.chip_rule import ChipRule
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind

BrokenRules = Mapping[str, tuple[int, int]]
"""For each check of the harness or of the chip that failed (verif/bfm): how often, first in which cycle."""

_COUNTERS = {
    "COUNTER_TOTAL": ("cyc_total",),
    "COUNTER_MM": ("cyc_mm",),
    "COUNTER_DMA": ("cyc_dma",),
    "COUNTER_VEC": ("cyc_vec",),
    "COUNTER_INST": ("n_inst",),
}
"""Checks of one counter each."""


def rule_difference(trace: Trace, broken: BrokenRules) -> tuple[int, Difference] | None:
    """Return the difference at the first broken rule and its cycle; None if there is none."""
    if not broken:
        return None
    name = rule_name(broken)
    count, cycle = broken[name]
    running = next((each.retire.pc for each in trace.instructions if cycle <= each.busy.last), trace.end.pc)
    times = "once" if count == 1 else f"{count} times"
    where = f"pc {running} ({trace.disassembly(running)})"
    told = _sentence(name)
    message = (
        f"check {name} failed {times}, first in cycle {cycle}, with {where} running{told and '; '}{told}"
    )
    expected = trace.instructions[running].retire if running < len(trace.instructions) else trace.end
    counters = _COUNTERS.get(name, ())
    return cycle, Difference(
        DivergenceKind.RULE,
        message,
        expected,
        None,
        pc=running,
        told=(told, f"{name} fails") if told else None,
        counters=counters,
    )


def rule_name(broken: BrokenRules) -> str:
    """Return the check that failed first."""
    return min(broken, key=lambda name: (broken[name][1], name))


def _sentence(name: str) -> str:
    if name in Check.__members__:
        return f"docs/isa.md: {Check[name].sentence}"
    return f"the chip's own rule: {ChipRule[name].sentence}" if name in ChipRule.__members__ else ""
