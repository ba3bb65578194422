"""A rule of the harness that was broken in a run in which every event and all of memory was right."""

from __future__ import annotations

from collections.abc import Mapping

from refmodel.machine.trace import Trace
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind

BrokenRules = Mapping[str, tuple[int, int]]
"""For each check of the harness that failed (verif/bfm/harness.py): how often, and in which cycle first."""


def rule_difference(trace: Trace, broken: BrokenRules) -> tuple[int, Difference] | None:
    """Return the difference at the first broken rule and its cycle; None if there is none."""
    if not broken:
        return None
    name, (count, cycle) = min(broken.items(), key=lambda item: (item[1][1], item[0]))
    running = next((each.retire.pc for each in trace.instructions if cycle <= each.busy.last), trace.end.pc)
    times = "once" if count == 1 else f"{count} times"
    message = (
        f"every event was right, but the harness's check {name} failed {times}, first in cycle {cycle}, with "
        f"pc {running} ({trace.disassembly(running)}) running"
    )
    expected = trace.instructions[running].retire if running < len(trace.instructions) else trace.end
    return cycle, Difference(DivergenceKind.RULE, message, expected, None)
