"""Which cycles and which scratchpad words show a divergence: its instruction, one before and one after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest

import numpy as np

from refmodel.isa.instructions import MatMul
from refmodel.machine.events import Memory, Write
from refmodel.machine.trace import Trace
from refmodel.machine.traced_instruction import OperandWords, TracedInstruction
from verif.bfm.harness import MIRRORED_WORD_COUNT
from verif.divergence.divergence import Divergence
from verif.divergence.kind import DivergenceKind
from verif.waves.window import WaveWindow

AFTERMATH = 2
"""Cycles after the divergence that a window shows at least."""


def window_of(trace: Trace, divergence: Divergence, start: int) -> WaveWindow:
    """Return the window round a divergence from the model's trace, in the pass that began with `start`.

    Up to the divergence the chip keeps the model's time; what comes after it is expected as much later as the
    event found came late.
    """
    pc, shown = divergence.pc, shown_cycle(divergence)
    first = fetch_cycle(trace, max(0, pc - 1))
    last = last_cycle(trace, pc + 1)
    late = 0
    if divergence.expected is not None and divergence.found is not None:
        late = max(0, shown - divergence.expected.cycle)
    return WaveWindow(
        min(first, max(min(1, start), shown)),
        max(last + late, shown + AFTERMATH),
        start,
        tuple(islice(dict.fromkeys(_words(trace, divergence)), MIRRORED_WORD_COUNT)),
    )


def shown_cycle(divergence: Divergence) -> int:
    """Return the cycle that shows a divergence; for a word found wrong at the end, that of its last write."""
    if divergence.kind is DivergenceKind.STATE and divergence.expected is not None:
        return divergence.expected.cycle
    return divergence.cycle


def fetch_cycle(trace: Trace, pc: int) -> int:
    """Return the cycle in which the word at `pc` is fetched, at latest that of the program's end."""
    completes = pc < len(trace.instructions)
    return trace.instructions[pc].fetch_cycle if completes else trace.end.cycle - 1


def last_cycle(trace: Trace, pc: int) -> int:
    """Return the last cycle of the word at `pc`, at latest that of the program's end."""
    return trace.instructions[pc].retire.cycle if pc < len(trace.instructions) else trace.end.cycle


def _words(trace: Trace, divergence: Divergence) -> Iterator[int]:
    """Yield addresses, the most telling first: what is written, what that is made of, the other operands."""
    writes = [event for event in (divergence.expected, divergence.found) if isinstance(event, Write)]
    written = [write.address for write in writes if write.memory is Memory.SCRATCHPAD]
    yield from written
    if divergence.pc >= len(trace.instructions):
        return
    running = trace.instructions[divergence.pc]
    operands = [operand for operand in running.reads if operand.memory is Memory.SCRATCHPAD]
    if writes:
        yield from _alternating(_made_of(running, writes[0].address, operands))
    yield from _alternating([operand.region.addresses().ravel().tolist() for operand in operands])
    if running.written.memory is Memory.SCRATCHPAD:
        yield from running.written.region.addresses().ravel().tolist()


def _made_of(
    running: TracedInstruction, address: int, operands: Sequence[OperandWords]
) -> list[Sequence[int]]:
    """Return for each operand the words that the written word at an address depends on in particular."""
    places = np.argwhere(running.written.region.addresses() == address)
    if not len(places):
        return []
    if isinstance(running.instruction, MatMul):
        row, column = places[-1].tolist()
        a, b = (operand.region.addresses() for operand in operands)
        return [a[row].tolist(), b[:, column].tolist()]
    index = int(places[-1][0])
    vectors = [operand.region.addresses().tolist() for operand in operands]
    return [vector[index : index + 1] for vector in vectors]


def _alternating(lists: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the first of each list, the second of each, and so on."""
    for together in zip_longest(*lists):
        yield from (each for each in together if each is not None)
