"""Programs of more words than 12 bits count, and programs that run for millions of cycles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.encoding import encode_program
from refmodel.isa.instructions import (
    Illegal,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.isa.limits import MAX_DEPTH, MAX_LENGTH, MAX_TILE
from refmodel.machine.bundle import Bundle
from sequences.directed.directed_program import (
    DirectedProgram,
    bundle_of,
    full_scratchpad,
    random_words,
    tour,
)
from sequences.stimulus import MAX_IDLE_CYCLES, Stimulus

WORDS = 4200
"""A pc of 12 bits would come back to word 0."""

TILES, TRANSFERS, VECTORS = 1900, 260, 90
"""Enough of each that its counter passes 2^20."""


def longest_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield programs whose pc passes 4,096, that end with HALT and behind their last word."""
    generator = np.random.default_rng([seed, 9])
    adds: list[Instruction] = [VectorAdd(number % 500, 1000, 2000, 1) for number in range(WORDS)]
    scratchpad = full_scratchpad(generator)
    yield DirectedProgram("longest/halt-in-last-word", bundle_of(adds[:-1], scratchpad=scratchpad))
    yield DirectedProgram(
        "longest/halt-behind-last-word",
        Bundle(encode_program(adds), np.zeros(0, np.uint32), scratchpad=scratchpad),
    )


def wide_counter_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield long rests, beyond 16 bits, and a program that takes each cycle counter past 2^17."""
    generator = np.random.default_rng([seed, 16])
    for name, reset_cycle in (("halted", None), ("idle", 50)):
        rest = Stimulus(reset_cycle=reset_cycle, idle_cycles=MAX_IDLE_CYCLES)
        yield DirectedProgram(f"wide-counters/{name}-past-2^16", tour(generator), rest)
    fault = bundle_of([Illegal(9)])
    yield DirectedProgram("wide-counters/fault-past-2^16", fault, Stimulus(idle_cycles=MAX_IDLE_CYCLES))
    code = _busy_code(transfers=33, tiles=220, vectors=9)
    yield DirectedProgram("wide-counters/past-2^17", bundle_of(code, ext=random_words(generator, MAX_LENGTH)))


def counter_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield a program that takes each counter past 2^20, too long for quick tests, and one after it."""
    generator = np.random.default_rng([seed, 10])
    instructions = _busy_code(TRANSFERS, TILES, VECTORS)
    image = random_words(generator, MAX_LENGTH)
    yield DirectedProgram("counters/past-2^20", bundle_of(instructions, ext=image))
    yield DirectedProgram("counters/from-zero-again", tour(generator))


def _busy_code(transfers: int, tiles: int, vectors: int) -> list[Instruction]:
    """Return so many of the longest instructions of each unit, and a store of what they made."""
    tile = MatMul(4000, 0, 300, MAX_TILE, MAX_DEPTH, MAX_TILE, lda=MAX_DEPTH, ldb=MAX_TILE, ldc=MAX_TILE)
    pair: list[Instruction] = [Requantize(0, 0, MAX_LENGTH, 1 << 23, 24), Softmax(0, 0, MAX_LENGTH)]
    return [
        *[Load(0, 0, MAX_LENGTH)] * transfers,
        *[tile] * tiles,
        *pair * vectors,
        Store(0, 0, MAX_LENGTH),
    ]
