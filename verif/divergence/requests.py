"""Rules for the read requests of LD: which words it asks for, and in which cycles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from refmodel.machine.events import Request
from refmodel.machine.trace import Trace
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind


def request_difference(trace: Trace, found: Sequence[Request], reset_cycle: int | None) -> Difference | None:
    """Return the first request that is not as it must be, None if all are.

    `reset_cycle` is the cycle in which rst was high and ended the run: no request is due after it.
    """
    for must, came in zip_longest(trace.requests, found):
        if must is None or (came is not None and came.cycle < must.cycle):
            return _extra(trace, came)
        if reset_cycle is not None and must.cycle > reset_cycle:
            return None
        if must != came:
            return _another(trace, must, came)
    return None


def _another(trace: Trace, must: Request, came: Request | None) -> Difference:
    """Classify a request that comes late, or not at all, or for another word."""
    running = trace.instructions[must.pc]
    text = f"pc {must.pc} ({trace.disassembly(must.pc)})"
    busy = must.cycle - running.busy.first + 1
    if came is not None and came.cycle == must.cycle:
        message = f"{text} requests external word {came.address} rather than {must.address}"
        return Difference(
            DivergenceKind.ADDRESS,
            f"{message} in busy cycle {busy}",
            must,
            came,
            pc=must.pc,
            cycle=must.cycle,
        )
    if came is not None and (came.pc, came.address) == (must.pc, must.address):
        late = came.cycle - must.cycle
        message = (
            f"{text} requests external word {must.address} in busy cycle {busy + late} rather than {busy}"
        )
        return Difference(DivergenceKind.TIMING, message, must, came, pc=must.pc, cycle=must.cycle)
    message = f"{text} requests nothing in busy cycle {busy}, where external word {must.address} is due"
    return Difference(DivergenceKind.MISSING, message, must, None, pc=must.pc, cycle=must.cycle)


def _extra(trace: Trace, came: Request) -> Difference:
    """Describe a request where none belongs."""
    pc = next((each.retire.pc for each in trace.instructions if came.cycle <= each.busy.last), trace.end.pc)
    text = f"pc {pc} ({trace.disassembly(pc)})"
    message = (
        f"external word {came.address} is requested in cycle {came.cycle}, where none is due: {text} runs"
    )
    told = (
        f"no request in cycle {came.cycle}",
        f"request of ext[{came.address}]  pc {came.pc}  cycle {came.cycle}",
    )
    return Difference(DivergenceKind.EXTRA, message, None, came, pc=pc, cycle=came.cycle, told=told)
