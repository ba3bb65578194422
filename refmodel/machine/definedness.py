"""Which words are defined: written by someone, and not derived from a word that was not.

A word never written holds anything (X in an event simulator), and so does all that is computed from it.
Whether a word is defined depends on the program alone, never on data, so it is worked out apart from the
machine's arithmetic. Masks are bool arrays, one element a word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import ArgMax, Instruction, MatMul, Softmax
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.isa.regions import AddressArray, Footprint, footprint, partial_overlap

Mask = NDArray[np.bool_]


def undefined_reads(instruction: Instruction, scratchpad: Mask) -> AddressArray:
    """Return the addresses of the undefined scratchpad words an instruction reads, operand by operand."""
    reads = [region.addresses().ravel() for region in footprint(instruction).reads.values()]
    if not reads:
        return np.empty(0, np.intp)
    addresses = np.concatenate(reads)
    return addresses[~scratchpad[addresses]]


def propagate(instruction: Instruction, scratchpad: Mask, ext: Mask) -> bool:
    """Update the masks for one executed instruction; return whether it wrote defined words alone."""
    touched = footprint(instruction)
    result = defined_result(instruction, scratchpad, ext)
    for region, mask in ((touched.writes, scratchpad), (touched.ext_writes, ext)):
        if region is not None:
            # One by one and in order: rows of an MM result may share words, and the later write stays.
            for address, defined in zip(region.addresses().flat, result.flat, strict=True):
                mask[address] = defined
    return bool(result.all())


def defined_result(instruction: Instruction, scratchpad: Mask, ext: Mask) -> Mask:
    """Return which of the words that an instruction writes are defined, in the shape of its result.

    A written word is defined if every word it depends on is: the same element of each source for LD, ST, RQ
    and VADD; a row of A and a column of B for MM; all of src for SM and AMAX. A partial overlap leaves dst
    undefined.
    """
    touched = footprint(instruction)
    sources: list[Mask] = [scratchpad[region.addresses()] for region in touched.reads.values()]
    if touched.ext_reads is not None:
        sources.append(ext[touched.ext_reads.addresses()])
    if partial_overlap(touched):
        return np.zeros_like(sources[0])
    if isinstance(instruction, MatMul):
        left, right = sources
        return np.logical_and.outer(left.all(axis=1), right.all(axis=0))
    if isinstance(instruction, Softmax):
        return np.full_like(sources[0], sources[0].all())
    if isinstance(instruction, ArgMax):
        return np.array([sources[0].all()])
    every: Mask = np.all(sources, axis=0)
    return every


def abandon(instruction: Instruction, scratchpad: Mask) -> None:
    """Update the mask for an instruction that a reset cut short: its words may be old, new or in between."""
    region = footprint(instruction).writes
    if region is not None:
        scratchpad[region.addresses()] = False


@dataclass(frozen=True, eq=False)
class Interface:
    """What a program expects of the scratchpad and what it leaves there."""

    reads: AddressArray
    """The words that it reads before it has written them, ascending."""
    writes: Mask
    """The words that it writes."""


def interface(footprints: Iterable[Footprint]) -> Interface:
    """Return the interface of a program, given what its instructions touch in the order of execution."""
    written = needed = 0
    for touched in footprints:
        for region in touched.reads.values():
            needed |= region.address_set() & ~written
        if touched.writes is not None:
            written |= touched.writes.address_set()
    return Interface(np.flatnonzero(_mask(needed)), _mask(written))


def _mask(addresses: int) -> Mask:
    """Return a set of scratchpad addresses, given as the bits of an integer, as a mask."""
    octets = np.frombuffer(addresses.to_bytes(SCRATCHPAD_WORDS // 8, "little"), np.uint8)
    return np.unpackbits(octets, bitorder="little").astype(np.bool_)
