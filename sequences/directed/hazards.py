"""Every instruction directly before every other one, with words that both touch: RAW, WAW and WAR."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

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
from sequences.directed.directed_program import DirectedProgram, bundle_of, full_scratchpad, random_words

WORDS = 4
"""Words of a result."""

AREA = 8 * WORDS
"""Words of one pair: what the first reads and writes, then what the second does."""

HAZARDS = {"raw": ("writes", "reads"), "waw": ("writes", "writes"), "war": ("reads", "writes")}
"""Which words of the first are which of the second."""


def hazard_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield a program a hazard, which has every pair one after another, each pair on words of its own."""
    generator = np.random.default_rng([seed, 15])
    for name, (of_first, of_second) in HAZARDS.items():
        code: list[Instruction] = []
        for number, pair in enumerate(product(tuple(Opcode)[1:], repeat=2)):
            start = number * AREA
            places = {"reads": start, "writes": start + 2 * WORDS}
            later = {"reads": start + 4 * WORDS, "writes": start + 6 * WORDS, of_second: places[of_first]}
            code += [_instruction(pair[0], **places), _instruction(pair[1], **later)]
        memory, scratchpad = random_words(generator, 49 * AREA), full_scratchpad(generator)
        yield DirectedProgram(f"hazards/{name}", bundle_of(code, ext=memory, scratchpad=scratchpad))


def _instruction(opcode: Opcode, reads: int, writes: int) -> Instruction:
    """Return an instruction that reads from one place on and writes at another, each in its memory."""
    instructions: dict[Opcode, Instruction] = {
        Opcode.LD: Load(writes, reads, WORDS),
        Opcode.ST: Store(reads, writes, WORDS),
        Opcode.MM: MatMul(writes, reads, reads + WORDS, 2, 2, 2, lda=2, ldb=2, ldc=2),
        Opcode.RQ: Requantize(writes, reads, WORDS, 9_000_000, 40),
        Opcode.SM: Softmax(writes, reads, WORDS),
        Opcode.VADD: VectorAdd(writes, reads, reads + WORDS, WORDS),
        Opcode.AMAX: ArgMax(writes, reads, WORDS),
    }
    return instructions[opcode]
