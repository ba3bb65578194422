"""Each instruction alone, at its smallest and at its largest size."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import ArgMax, Instruction, Load, MatMul, Requantize, Softmax, Store, VectorAdd
from refmodel.isa.limits import MAX_LENGTH
from sequences.directed.directed_program import DirectedProgram, bundle_of, full_scratchpad, random_words

MULTIPLIER, SHIFT = 11_184_811, 40
"""A requantizer setting that uses the whole int8 range on 32-bit words."""


def size_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield one program an instruction and size, over a scratchpad and a memory full of random words."""
    generator = np.random.default_rng([seed, 1])
    for name, instruction in _cases():
        bundle = bundle_of(
            [instruction], ext=random_words(generator, 8192), scratchpad=full_scratchpad(generator)
        )
        yield DirectedProgram(f"sizes/{name}", bundle)


def _cases() -> Iterator[tuple[str, Instruction]]:
    """The longest vectors fill all words but one, so source and destination must coincide."""
    for length in (1, 2, 100, 600, MAX_LENGTH):
        yield f"ld-{length}", Load(5, 100, length)
        yield f"st-{length}", Store(5, 100, length)
        yield f"rq-{length}", Requantize(5, 5, length, MULTIPLIER, SHIFT)
        yield f"sm-{length}", Softmax(5, 5, length)
        yield f"vadd-{length}", VectorAdd(5, 5, 5, length)
        yield f"amax-{length}", ArgMax(5, 5, length)
    for length in (1, 3, 1365):
        yield f"rq-{length}-disjoint", Requantize(5, 2000, length, MULTIPLIER, SHIFT, relu=True)
        yield f"sm-{length}-disjoint", Softmax(5, 2000, length)
        yield f"vadd-{length}-disjoint", VectorAdd(0, 1365, 2730, length)
        yield f"amax-{length}-disjoint", ArgMax(5, 2000, length)
    for m, k, n in ((1, 1, 1), (1, 64, 1), (4, 1, 4), (4, 64, 4)):
        for transpose in (False, True):
            ldb = k if transpose else n
            operation = MatMul(3000, 100, 1000, m, k, n, transpose, lda=k, ldb=ldb, ldc=n)
            yield f"mm-{m}x{k}x{n}{'-transposed' if transpose else ''}", operation
