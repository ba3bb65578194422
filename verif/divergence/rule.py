"""A rule of the harness that was broken in a run in which every event and all of memory was right."""

from __future__ import annotations

from collections.abc import Mapping

from refmodel.machine.trace import Trace
from verif.bfm.check import Check
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind

BrokenRules = Mapping[str, tuple[int, int]]
"""For each check of the harness that failed (verif/bfm/check.py): how often, and in which cycle first."""

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
    message = f"check {name} failed {times}, first in cycle {cycle}, with {where} running{_sentence(name)}"
    expected = trace.instructions[running].retire if running < len(trace.instructions) else trace.end
    told = (f"docs/isa.md: {Check[name].sentence}", f"{name} fails") if name in Check.__members__ else None
    counters = _COUNTERS.get(name, ())
    return cycle, Difference(
        DivergenceKind.RULE, message, expected, None, pc=running, told=told, counters=counters
    )


def rule_name(broken: BrokenRules) -> str:
    """Return the check that failed first."""
    return min(broken, key=lambda name: (broken[name][1], name))


def _sentence(name: str) -> str:
    return f"; docs/isa.md: {Check[name].sentence}" if name in Check.__members__ else ""
