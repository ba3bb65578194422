"""MM: every tile shape, both orders of B, strides, colliding rows, overlapping operands, extreme values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from refmodel.isa.instructions import Instruction, MatMul
from refmodel.isa.limits import SCRATCHPAD_WORDS
from sequences.directed.directed_program import DirectedProgram, bundle_of, full_scratchpad, words

A, B, C = 0, 1000, 2000
"""Where the operands of plain cases lie."""

EXTREMES = (("lowest", -128, -128), ("mixed", -128, 127), ("highest", 127, 127), ("zero", 0, -128))
"""All of A, and all of B."""


def matrix_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield the programs; many MMs in one, each to words of its own."""
    generator = np.random.default_rng([seed, 2])
    for transpose in (False, True):
        shapes = list(_every_shape(transpose))
        name = "transposed" if transpose else "plain"
        yield DirectedProgram(
            f"matrix/shapes-{name}", bundle_of(shapes, scratchpad=full_scratchpad(generator))
        )
    for name, instruction in _strides():
        bundle = bundle_of([instruction], scratchpad=full_scratchpad(generator))
        yield DirectedProgram(f"matrix/{name}", bundle)
    for name, left, right in EXTREMES:
        scratchpad = words([left] * B + [right] * (SCRATCHPAD_WORDS - B))
        operation = MatMul(C, A, B, 4, 64, 4, lda=64, ldb=4, ldc=4)
        yield DirectedProgram(f"matrix/{name}", bundle_of([operation], scratchpad=scratchpad))


def _every_shape(transpose: bool) -> Iterator[Instruction]:
    """Every M and N with some K, each tile to words of its own."""
    destination = C
    for m, n, k in product(range(1, 5), range(1, 5), (1, 2, 5, 16, 64)):
        ldb = k if transpose else n
        yield MatMul(destination, A + m, B + n, m, k, n, transpose, lda=k, ldb=ldb, ldc=n)
        destination += m * n


def _strides() -> Iterator[tuple[str, Instruction]]:
    yield "stride-zero", MatMul(C, A, B, 4, 8, 4, lda=0, ldb=0, ldc=0)
    yield "stride-zero-transposed", MatMul(C, A, B, 4, 8, 4, transpose_b=True, lda=0, ldb=0, ldc=4)
    yield "stride-largest", MatMul(C, A, B, 4, 8, 4, lda=4095, ldb=4095, ldc=4095)
    yield "colliding-rows", MatMul(C, A, B, 4, 6, 4, lda=6, ldb=4, ldc=1)
    yield "colliding-rows-by-two", MatMul(C, A, B, 3, 6, 4, lda=6, ldb=4, ldc=2)
    yield "overlapping-rows-of-a", MatMul(C, A, B, 4, 64, 4, lda=3, ldb=4, ldc=4)
    yield "overlapping-rows-of-b", MatMul(C, A, B, 4, 16, 4, lda=16, ldb=3, ldc=4)
    yield "overlapping-rows-of-b-transposed", MatMul(C, A, B, 4, 8, 4, transpose_b=True, lda=8, ldb=3, ldc=4)
    yield "stride-largest-transposed", MatMul(C, A, B, 4, 16, 4, transpose_b=True, lda=16, ldb=4095, ldc=4)
    yield "gaps", MatMul(C, A, B, 4, 16, 4, lda=50, ldb=37, ldc=99)
    yield "gaps-transposed", MatMul(C, A, B, 4, 16, 4, transpose_b=True, lda=50, ldb=37, ldc=99)
    yield "onto-a", MatMul(A, A, B, 4, 4, 4, lda=4, ldb=4, ldc=4)
    yield "onto-b", MatMul(B, A, B, 4, 4, 4, lda=4, ldb=4, ldc=4)
    yield "onto-part-of-b", MatMul(B + 3, A, B, 4, 16, 4, lda=16, ldb=4, ldc=5)
    yield "all-in-one", MatMul(A, A, A, 4, 4, 4, lda=4, ldb=4, ldc=4)
    yield "one-word", MatMul(C, A, B, 4, 6, 1, lda=6, ldb=1, ldc=0)
