"""A wrong word in memory after a run in which no event was wrong: who wrote it last?"""

from __future__ import annotations

import numpy as np

from refmodel.machine.events import ALL_BITS, CycleSpan, Memory, Write
from refmodel.machine.result import RunResult, WordArray
from refmodel.machine.trace import Trace
from verif.divergence.difference import Difference
from verif.divergence.kind import DivergenceKind


def state_difference(trace: Trace, found: RunResult) -> Difference | None:
    """Return the difference at the wrong word that was written first of all; None if no word is wrong.

    That is how a fault shows where the writes themselves were not seen, or where something else than the
    chip's own write changed the memory.
    """
    wrong = {
        (Memory.SCRATCHPAD, address)
        for address in _wrong(trace.scratchpad, trace.defined, found.scratchpad, found.defined)
    }
    wrong |= {
        (Memory.EXT, address)
        for address in _wrong(trace.ext, trace.ext_defined, found.ext, found.ext_defined)
    }
    writes = {(event.memory, event.address): event for event in trace.events if isinstance(event, Write)}
    written = [writes[place] for place in wrong if place in writes]
    if written:
        last = min(written, key=lambda write: (write.cycle, write.address))
        word = _found(found, last, trace.end.cycle)
        message = (
            f"every event seen was right, but {last.memory.value} word {last.address}, last written by pc "
            f"{last.pc} ({trace.disassembly(last.pc)}), is wrong at the end"
        )
        return Difference(DivergenceKind.STATE, message, last, word)
    if not wrong:
        return None
    memory, address = min(wrong, key=lambda place: (place[0].value, place[1]))
    before = trace.scratchpad if memory is Memory.SCRATCHPAD else trace.ext
    span = CycleSpan.at(trace.end.cycle)
    untouched = Write(memory, trace.end.pc, address, int(before[address]), span)
    message = f"no instruction writes {memory.value} word {address}, but it is wrong at the end"
    return Difference(DivergenceKind.STATE, message, untouched, _found(found, untouched, trace.end.cycle))


def _found(result: RunResult, expected: Write, cycle: int) -> Write:
    """Return what a memory holds at the end as a write; a word with an unknown bit is wholly unknown."""
    in_scratchpad = expected.memory is Memory.SCRATCHPAD
    words = result.scratchpad if in_scratchpad else result.ext
    known = result.defined if in_scratchpad else result.ext_defined
    unknown = 0 if known is None or known[expected.address] else ALL_BITS
    data = int(words[expected.address])
    return Write(expected.memory, expected.pc, expected.address, data, CycleSpan.at(cycle), unknown)


def _wrong(
    expected: WordArray,
    compared: np.ndarray[tuple[int], np.dtype[np.bool_]],
    found: WordArray,
    known: np.ndarray[tuple[int], np.dtype[np.bool_]] | None,
) -> list[int]:
    different = expected != found
    if known is not None:
        different |= ~known
    addresses: list[int] = np.flatnonzero(different & compared).tolist()
    return addresses
