"""Addresses that wrap, reserved bits that must be ignored, and accesses beyond ext_words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from refmodel.isa.encoding import LAYOUT, OPCODE_LOW, OPERATIONS, WORD_BITS
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
from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from refmodel.machine.bundle import Bundle
from sequences.directed.directed_program import (
    DirectedProgram,
    bundle_of,
    full_scratchpad,
    random_words,
    tour,
)


def address_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield the programs."""
    generator = np.random.default_rng([seed, 5])
    for name, instruction in _scratchpad_wraps():
        bundle = bundle_of(
            [instruction], ext=random_words(generator, 256), scratchpad=full_scratchpad(generator)
        )
        yield DirectedProgram(f"addresses/{name}-wraps", bundle)
    for name, instruction in _last_words():
        bundle = bundle_of(
            [instruction], ext=random_words(generator, 256), scratchpad=full_scratchpad(generator)
        )
        yield DirectedProgram(f"addresses/{name}-ends", bundle)
    yield DirectedProgram("addresses/external-wraps", _external_wrap(generator))
    good = tour(generator)
    for number in range(8):
        code = tuple(word | _reserved_bits(word, generator) for word in good.code)
        yield DirectedProgram(f"addresses/reserved-bits-{number}", replace(good, code=code))
    yield from _strays(generator)


def _scratchpad_wraps() -> Iterator[tuple[str, Instruction]]:
    yield "ld", Load(4090, 0, 20)
    yield "st", Store(4090, 300, 20)
    yield "mm-a", MatMul(2000, 4090, 100, 4, 8, 4, lda=8, ldb=4, ldc=4)
    yield "mm-b", MatMul(2000, 100, 4090, 4, 8, 4, lda=8, ldb=4, ldc=4)
    yield "mm-b-transposed", MatMul(2000, 100, 4090, 4, 8, 4, transpose_b=True, lda=8, ldb=8, ldc=4)
    yield "mm-c", MatMul(4090, 100, 200, 4, 8, 4, lda=8, ldb=4, ldc=4)
    yield "mm-all", MatMul(4095, 4095, 4095, 4, 64, 4, lda=64, ldb=4, ldc=4)
    yield "rq", Requantize(4090, 100, 20, 9_000_000, 40)
    yield "rq-source", Requantize(100, 4090, 20, 9_000_000, 40)
    yield "sm", Softmax(4090, 100, 20)
    yield "sm-source", Softmax(100, 4090, 20)
    yield "vadd", VectorAdd(4090, 100, 200, 20)
    yield "vadd-first", VectorAdd(100, 4090, 200, 20)
    yield "vadd-second", VectorAdd(100, 200, 4090, 20)
    yield "amax", ArgMax(4095, 4090, 20)


def _last_words() -> Iterator[tuple[str, Instruction]]:
    """Operands that end with the last word of the scratchpad: one further, and they would wrap."""
    vector, tile, result = (SCRATCHPAD_WORDS - words for words in (20, 32, 16))
    yield "ld", Load(vector, 0, 20)
    yield "st", Store(vector, 100, 20)
    yield "mm-a", MatMul(2000, tile, 100, 4, 8, 4, lda=8, ldb=4, ldc=4)
    yield "mm-b", MatMul(2000, 100, tile, 4, 8, 4, lda=8, ldb=4, ldc=4)
    yield "mm-b-transposed", MatMul(2000, 100, tile, 4, 8, 4, transpose_b=True, lda=8, ldb=8, ldc=4)
    yield "mm-c", MatMul(result, 100, 200, 4, 8, 4, lda=8, ldb=4, ldc=4)
    yield "rq", Requantize(vector, 100, 20, 9_000_000, 40)
    yield "rq-source", Requantize(100, vector, 20, 9_000_000, 40)
    yield "sm", Softmax(vector, 100, 20)
    yield "sm-source", Softmax(100, vector, 20)
    yield "vadd", VectorAdd(vector, 100, 200, 20)
    yield "vadd-first", VectorAdd(100, vector, 200, 20)
    yield "vadd-second", VectorAdd(100, 200, vector, 20)
    yield "amax", ArgMax(100, vector, 20)


def _external_wrap(generator: np.random.Generator) -> Bundle:
    instructions: list[Instruction] = [
        Load(0, EXT_ADDRESS_WORDS - 9, 20),
        Store(0, EXT_ADDRESS_WORDS - 3, 11),
        Load(100, EXT_ADDRESS_WORDS - 4, 16),
        Store(40, EXT_ADDRESS_WORDS - 30, 30),
        Load(200, EXT_ADDRESS_WORDS - 12, 12),
    ]
    image = random_words(generator, EXT_ADDRESS_WORDS)
    return bundle_of(
        instructions, ext=image, scratchpad=full_scratchpad(generator), ext_words=EXT_ADDRESS_WORDS
    )


def _reserved_bits(word: int, generator: np.random.Generator) -> int:
    """Return random values for the bits that this word's operation does not use."""
    used = 0xF << OPCODE_LOW
    for field in LAYOUT[OPERATIONS[Opcode(word >> OPCODE_LOW)]]:
        used |= field.largest << field.low
    noise = int.from_bytes(generator.bytes(WORD_BITS // 8), "little")
    return noise & ~used


def _strays(generator: np.random.Generator) -> Iterator[DirectedProgram]:
    """Accesses beyond ext_words: a read gives 0, a write is dropped, and the harness reports both."""
    for name, instruction in (
        ("read", Load(0, 90, 20)),
        ("read-all", Load(0, 100, 20)),
        ("write", Store(0, 90, 20)),
        ("write-wrapping", Store(0, EXT_ADDRESS_WORDS - 5, 20)),
    ):
        bundle = bundle_of(
            [instruction],
            ext=random_words(generator, 100),
            scratchpad=full_scratchpad(generator),
            ext_words=100,
        )
        yield DirectedProgram(f"addresses/stray-{name}", bundle, strays_expected=True)
