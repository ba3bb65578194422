"""How each completed instruction used the memories: how often, and the signature of its writes.

The order of writes and the number of reads are those of docs/isa.md ("Reads and writes"). A write is a number
of 64 bits, {pc, address, word} in 16, 16 and 32; the signature of an instruction folds its writes in order,
signature·MULTIPLIER + write modulo 2^64, beginning with 0. It is linear in the words, so what the addresses
add and the powers of the multiplier are worked out once for each program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import Instruction, Softmax
from refmodel.isa.regions import Footprint

MULTIPLIER = 0x0000_0100_0000_01B3

_WORD = 0xFFFF_FFFF

Signatures = NDArray[np.uint64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Accesses:
    """One element for each completed instruction, of all passes of a run in order."""

    signatures: Signatures
    known: NDArray[np.bool_]
    """False where a word written is undefined (model), or a write or its enable holds an X (RTL)."""
    writes: Counts
    """Of the scratchpad."""
    ext_writes: Counts
    """Of external memory, those beyond `ext_words` included."""
    reads: Counts
    """Of the scratchpad."""

    def __len__(self) -> int:
        """Return the number of instructions."""
        return len(self.signatures)

    def first(self, count: int) -> Accesses:
        """Return those of the first instructions."""
        return Accesses(*(getattr(self, field.name)[:count] for field in fields(self)))


def joined(parts: Sequence[Accesses]) -> Accesses:
    """Return several runs as one; there must be at least one."""
    if len(parts) == 1:
        return parts[0]
    names = [field.name for field in fields(Accesses)]
    return Accesses(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


class AccessPlan:
    """All that is known of a program's accesses without data."""

    def __init__(self, instructions: Sequence[Instruction], footprints: Sequence[Footprint]) -> None:
        """Work it out for the instructions that complete, the first at pc 0."""
        places = [_write_addresses(*each) for each in zip(instructions, footprints, strict=True)]
        lengths = np.array([len(each) for each in places], np.int64)
        self.writes = np.where([each.writes is not None for each in footprints], lengths, 0)
        self.ext_writes = lengths - self.writes
        reads = [scratchpad_reads(*each) for each in zip(instructions, footprints, strict=True)]
        self.reads = np.array(reads, np.int64)
        self.ends = np.cumsum(lengths)
        self._starts = self.ends - lengths
        if not places:
            return
        longest = np.full(int(lengths.max()), MULTIPLIER, np.uint64)
        longest[0] = 1
        powers = np.multiply.accumulate(longest)
        self._weights = np.concatenate([powers[length - 1 :: -1] for length in lengths.tolist()])
        pcs = np.arange(len(places), dtype=np.uint64)  # only its low 16 bits stay
        addresses = np.concatenate(places).astype(np.uint64)
        writes = np.repeat(pcs << np.uint64(48), lengths) | addresses << np.uint64(32)
        self._of_addresses = np.add.reduceat(writes * self._weights, self._starts)

    def accesses(self, results: Sequence[NDArray[Any]], unknown: Sequence[int], count: int) -> Accesses:
        """Return those of the first `count` instructions, given all that they wrote, in order.

        `unknown` are the instructions that wrote an undefined word.
        """
        signatures = np.zeros(count, np.uint64)
        if count:
            end = int(self.ends[count - 1])
            words = np.concatenate([each.ravel() for each in results]).astype(np.int64)[:end]
            weighted = (words & _WORD).view(np.uint64) * self._weights[:end]
            signatures = np.add.reduceat(weighted, self._starts[:count]) + self._of_addresses[:count]
        known = np.ones(count, np.bool_)
        known[[pc for pc in unknown if pc < count]] = False
        return Accesses(signatures, known, self.writes[:count], self.ext_writes[:count], self.reads[:count])


def scratchpad_reads(instruction: Instruction, touched: Footprint) -> int:
    """Return how many words an instruction reads from the scratchpad; it must not fault.

    Each operand is read once, word by word. SM reads its source twice, for the maximum and for the
    exponentials, and then dst, where it has written these.
    """
    if isinstance(instruction, Softmax):
        return 3 * instruction.length
    return sum(int(np.prod(region.shape)) for region in touched.reads.values())


def _write_addresses(instruction: Instruction, touched: Footprint) -> NDArray[np.intp]:
    """Return the address of each write in order: over the result ascending, for SM twice."""
    region = touched.writes or touched.ext_writes
    assert region is not None, "every instruction that executes writes"
    addresses = region.addresses().ravel()
    return np.concatenate([addresses, addresses]) if isinstance(instruction, Softmax) else addresses
