"""Every instruction before every other one where the pc carries: from 0x0ff to 0x100, for example.

The carry of pc p goes through as many bits as p ends with ones.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import ArgMax, Instruction, Load, MatMul, Requantize, Softmax, Store, VectorAdd
from sequences.directed.directed_program import DirectedProgram, bundle_of, full_scratchpad, random_words

SHORTEST: tuple[Instruction, ...] = (
    Load(0, 0, 1),
    Store(1, 9, 1),
    MatMul(2, 0, 1, 1, 1, 1),
    Requantize(3, 2, 1, 9_000_000, 30),
    Softmax(4, 3, 1),
    VectorAdd(5, 0, 3, 1),
    ArgMax(6, 5, 1),
)
"""One of each unit, in as few cycles as it can."""

PAIRS = len(SHORTEST) ** 2

MOST = 8
"""Carries through more bits than these count as one class."""

PROGRAMS = 4
WORDS = -(-PAIRS // PROGRAMS) * (1 << MOST) + 1
"""Length of each: a quarter of the pairs at a pc that ends in eight ones or more."""

FEW = 4
FEW_WORDS = PAIRS * (2 << FEW)
"""Length of a program in which each pair meets the carries through up to four ones."""


def pc_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield one program, in which each pair meets each class of carry up to four ones."""
    yield _program(np.random.default_rng([seed, 14]), "pc/carries-of-4", _code(0)[:FEW_WORDS])


def pc_carry_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield the programs in which each pair meets each class of carry."""
    generator = np.random.default_rng([seed, 14])
    for number in range(PROGRAMS):
        yield _program(generator, f"pc-carries/{number}", _code(number))


def _program(generator: np.random.Generator, name: str, code: list[Instruction]) -> DirectedProgram:
    memory, scratchpad = random_words(generator, 16), full_scratchpad(generator)
    return DirectedProgram(name, bundle_of(code, ext=memory, scratchpad=scratchpad, read_latency=1))


def _code(number: int) -> list[Instruction]:
    """Return a program whose pairs at carries follow each other, class by class, where the last one ended.

    A pc that ends in ones is odd and the one after it is even, so every pair at a carry has words of its own.
    """
    code = [SHORTEST[0]] * WORDS
    for ones in range(1, MOST + 1):
        beyond = 1 << ones if ones == MOST else 2 << ones
        places = range((1 << ones) - 1, WORDS - 1, beyond)
        for turn, pc in enumerate(places, start=number * len(places)):
            first, second = divmod(turn % PAIRS, len(SHORTEST))
            code[pc], code[pc + 1] = SHORTEST[first], SHORTEST[second]
    return code
