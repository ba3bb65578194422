"""Fields one bit at a time: sizes with one bit beyond the legal range, and each reserved bit alone.

A size that is compared in too few bits shows only if what is left of it is legal, so every bad size here is a
legal one with one bit more. Each reserved bit is set in an instruction of its own, which must run as ever.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.encoding import LAYOUT, OPCODE_LOW, OPERATIONS, encode
from refmodel.isa.instructions import (
    ArgMax,
    Instruction,
    Load,
    MatMul,
    Opcode,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.machine.bundle import Bundle
from sequences.directed.directed_program import DirectedProgram, full_scratchpad, random_words

LENGTH = 5
"""Legal by itself; no bit of it is one of those beyond the range."""

LENGTH_BITS = range(12, 16)
TILE_BITS = range(3, 8)
DEPTH_BITS = (7,)
"""Bits of a field that no legal size has set."""

TILES = (1, 4)
DEPTHS = (1, 3, 63, 64)
PAST_DEPTH = (65, 66, 68, 72, 80, 96)
"""Bit 6 stands for 64 alone: with any bit below it, K is too large."""
PAST_TILE = (5, 6)
"""Bit 2 stands for 4 alone."""

AREA = 200
"""Words from which every instruction of the reserved bits reads; results lie behind."""


def single_bit_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield a program a bad size, then one an instruction with each of its reserved bits set in turn."""
    generator = np.random.default_rng([seed, 11])
    memory, scratchpad = random_words(generator, AREA), full_scratchpad(generator)
    behind = encode(Store(0, 0, LENGTH))
    for name, instruction in _bad_sizes():
        bundle = Bundle((encode(instruction), behind, 0), memory, scratchpad=scratchpad)
        yield DirectedProgram(f"single-bits/{name}", bundle)
    for opcode, kind in OPERATIONS.items():
        reserved = _reserved_bits(opcode)
        name = f"single-bits/reserved-{Opcode(opcode).name.lower()}"
        singles = [1 << bit for bit in range(OPCODE_LOW) if reserved >> bit & 1]
        if opcode is Opcode.HALT:
            for bits in (reserved, *singles[::9]):
                bundle = Bundle((bits, behind, 0), memory, scratchpad=scratchpad)
                yield DirectedProgram(f"{name}-{bits:x}", bundle)
        else:
            words = [encode(_small(kind, number)) for number in range(len(singles) + 2)]
            code = tuple(word | bits for word, bits in zip(words, (0, reserved, *singles), strict=True))
            yield DirectedProgram(name, Bundle((*code, 0), memory, scratchpad=scratchpad))


def _bad_sizes() -> Iterator[tuple[str, Instruction]]:
    for bit in LENGTH_BITS:
        length = LENGTH | 1 << bit
        yield f"ld-length-bit-{bit}", Load(0, 0, length)
        yield f"st-length-bit-{bit}", Store(0, 0, length)
        yield f"rq-length-bit-{bit}", Requantize(0, 0, length, 1, 1)
        yield f"sm-length-bit-{bit}", Softmax(0, 0, length)
        yield f"vadd-length-bit-{bit}", VectorAdd(0, 0, 0, length)
        yield f"amax-length-bit-{bit}", ArgMax(0, 0, length)
    tiles = [tile | 1 << bit for bit in TILE_BITS for tile in TILES]
    for tile in (*PAST_TILE, *tiles):
        yield f"mm-m-{tile}", MatMul(0, 0, 0, tile, 3, 2, lda=1, ldb=1, ldc=1)
        yield f"mm-n-{tile}", MatMul(0, 0, 0, 2, 3, tile, lda=1, ldb=1, ldc=1)
    depths = [depth | 1 << bit for bit in DEPTH_BITS for depth in DEPTHS]
    for depth in (*PAST_DEPTH, *depths):
        yield f"mm-k-{depth}", MatMul(0, 0, 0, 2, depth, 2, lda=1, ldb=1, ldc=1)


def _small(kind: type[Instruction], number: int) -> Instruction:
    """Return an instruction of a few words; the results of different numbers lie apart."""
    place = AREA + 4 * number
    small: dict[type[Instruction], Instruction] = {
        Load: Load(place, 7, 3),
        Store: Store(7, place, 3),
        MatMul: MatMul(place, 0, 20, 2, 3, 2, lda=3, ldb=2, ldc=2),
        Requantize: Requantize(place, 30, 3, 9_000_000, 40),
        Softmax: Softmax(place, 40, 3),
        VectorAdd: VectorAdd(place, 50, 60, 3),
        ArgMax: ArgMax(place, 70, 3),
    }
    return small[kind]


def _reserved_bits(opcode: Opcode) -> int:
    """Return the bits that an operation does not use."""
    used = 0
    for field in LAYOUT[OPERATIONS[opcode]]:
        used |= field.largest << field.low
    return ((1 << OPCODE_LOW) - 1) & ~used
