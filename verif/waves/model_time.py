"""What the model says of one cycle: the phase of the sequencer, and where the counters stand."""

from __future__ import annotations

from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES
from refmodel.machine.trace import Trace

COUNTERS = ("cyc_total", "cyc_mm", "cyc_dma", "cyc_vec", "n_inst")


def phase_in(trace: Trace, cycle: int) -> str:
    """Return `FETCH`, `ISSUE`, `busy` or `halted`; nothing before the first cycle."""
    if cycle > trace.end.cycle:
        return "halted"
    running = next((each for each in trace.instructions if cycle <= each.busy.last), None)
    begin = trace.end.cycle - FETCH_CYCLES - ISSUE_CYCLES + 1 if running is None else running.fetch_cycle
    into = cycle - begin
    if cycle < 1:
        return ""
    return "FETCH" if into < FETCH_CYCLES else "ISSUE" if into < FETCH_CYCLES + ISSUE_CYCLES else "busy"


def counters_in(trace: Trace, cycle: int) -> dict[str, int]:
    """Return what the counters show in a cycle; they step at the edge that ends each counted one."""
    counted = dict.fromkeys(COUNTERS, 0)
    counted["cyc_total"] = min(cycle - 1, trace.end.cycle)
    for each in trace.instructions:
        retire, past = each.retire, min(cycle - each.busy.first, each.retire.busy)
        if past <= 0:
            break
        for name in ("mm", "dma", "vec"):
            counted[f"cyc_{name}"] += past if getattr(retire, f"busy_{name}") else 0
        counted["n_inst"] += cycle > retire.cycle
    return counted
