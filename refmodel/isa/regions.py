"""Which words an instruction touches, in the scratchpad and in external memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS

AddressArray = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Region:
    """The words `start + Σ index·stride`, modulo `memory_words`: a vector (one axis) or a tile (two)."""

    start: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """Words between neighbours along each axis; 0 is legal."""
    memory_words: int = SCRATCHPAD_WORDS

    @property
    def last(self) -> int:
        """The highest address, before it wraps."""
        shape, strides = self.shape, self.strides
        address = self.start + (shape[0] - 1) * strides[0]
        return address if len(shape) == 1 else address + (shape[1] - 1) * strides[1]

    @property
    def wraps(self) -> bool:
        """Does an address pass the end of the memory?"""
        return self.last >= self.memory_words

    def addresses(self) -> AddressArray:
        """Return the address of every element, in an array of the region's shape."""
        result: AddressArray = np.arange(self.shape[-1]) * self.strides[-1] + self.start
        if len(self.shape) == 2:
            result = np.arange(self.shape[0])[:, np.newaxis] * self.strides[0] + result
        return result % self.memory_words if self.wraps else result

    def address_set(self) -> int:
        """Return the set of its addresses as an integer: bit a is 1 if address a belongs to it.

        Much quicker than an array for questions about whole programs. One axis must have stride 1, as one of
        every operand of an instruction has.
        """
        length, rows, stride = self.shape[-1], 1, 0
        if len(self.shape) == 2:
            rows, stride = self.shape[0], self.strides[0]
            if self.strides[1] != 1:
                length, rows, stride = self.shape[0], self.shape[1], self.strides[1]
        assert 1 in self.strides
        if stride == length:  # the rows follow each other
            length, rows = rows * length, 1
        addresses = ((1 << length) - 1) << self.start
        done = 1
        while done < rows:  # twice as many rows each time
            more = min(done, rows - done)
            addresses |= addresses << more * stride
            done += more
        while addresses >> self.memory_words:
            addresses = addresses & ((1 << self.memory_words) - 1) | addresses >> self.memory_words
        return addresses


@dataclass(frozen=True, slots=True)
class Footprint:
    """What one instruction reads and writes, if it does not fault."""

    reads: dict[str, Region] = field(default_factory=dict)
    """Scratchpad words read, by the operand's name in the assembly."""
    writes: Region | None = None
    """Scratchpad words written."""
    ext_reads: Region | None = None
    ext_writes: Region | None = None


def vector(start: int, length: int) -> Region:
    """Return `length` neighbouring scratchpad words."""
    return Region(start, (length,), (1,))


def external_vector(start: int, length: int) -> Region:
    """Return `length` neighbouring external words."""
    return Region(start, (length,), (1,), EXT_ADDRESS_WORDS)


def matrix_a(instruction: MatMul) -> Region:
    """Return A[m, k] of an MM."""
    return Region(instruction.a, (instruction.m, instruction.k), (instruction.lda, 1))


def matrix_b(instruction: MatMul) -> Region:
    """Return B[k, n] of an MM, whichever way the scratchpad holds it."""
    strides = (1, instruction.ldb) if instruction.transpose_b else (instruction.ldb, 1)
    return Region(instruction.b, (instruction.k, instruction.n), strides)


def matrix_c(instruction: MatMul) -> Region:
    """Return C[m, n] of an MM, in the order in which it is written."""
    return Region(instruction.dst, (instruction.m, instruction.n), (instruction.ldc, 1))


def footprint(instruction: Instruction) -> Footprint:
    """Return the words an instruction touches; the instruction must not fault."""
    match instruction:
        case Halt() | Illegal():
            return Footprint()
        case Load(dst, src, length):
            return Footprint(writes=vector(dst, length), ext_reads=external_vector(src, length))
        case Store(src, dst, length):
            return Footprint({"src": vector(src, length)}, ext_writes=external_vector(dst, length))
        case MatMul():
            return Footprint(
                {"A": matrix_a(instruction), "B": matrix_b(instruction)}, writes=matrix_c(instruction)
            )
        case Requantize(dst=dst, src=src, length=length) | Softmax(dst=dst, src=src, length=length):
            return Footprint({"src": vector(src, length)}, writes=vector(dst, length))
        case VectorAdd(dst, src1, src2, length):
            return Footprint(
                {"src1": vector(src1, length), "src2": vector(src2, length)}, writes=vector(dst, length)
            )
        case ArgMax(dst, src, length):
            return Footprint({"src": vector(src, length)}, writes=vector(dst, 1))


def partial_overlap(touched: Footprint) -> str | None:
    """Return the name of the first source that dst overlaps without being identical to it, or None.

    The rule holds for every instruction that makes a vector of vectors of the same length: RQ, SM and VADD
    (docs/isa.md, "Operand regions"). Their units are pipelined, so such an instruction leaves dst undefined.
    MM reads its tiles completely before its first write, and AMAX its vector. Regions are compared modulo the
    scratchpad, as they wrap.
    """
    written = touched.writes
    if written is None or len(written.shape) != 1:
        return None
    for name, source in touched.reads.items():
        apart = (written.start - source.start) % SCRATCHPAD_WORDS
        if (
            source.shape == written.shape
            and apart
            and min(apart, SCRATCHPAD_WORDS - apart) < written.shape[0]
        ):
            return name
    return None
