"""The typed object of a directed program, and the helpers that make one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from refmodel.isa.encoding import encode_program
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.bundle import DEFAULT_EXT_WORDS, DEFAULT_READ_LATENCY, Bundle
from refmodel.machine.result import WordArray
from sequences.stimulus import PLAIN, Stimulus


@dataclass(frozen=True, eq=False)
class DirectedProgram:
    """One program with what happens around it."""

    name: str
    bundle: Bundle
    stimulus: Stimulus = PLAIN
    strays_expected: bool = False
    """Does it access external memory beyond ext_words on purpose?"""


def random_words(generator: np.random.Generator, count: int) -> WordArray:
    """Return words that use all 32 bits."""
    return generator.integers(0, 1 << 32, count, dtype=np.uint32)


def words(values: Iterable[int]) -> WordArray:
    """Return signed integers as memory words."""
    return np.array(list(values), np.int64).astype(np.uint32)


def bundle_of(
    instructions: Iterable[Instruction],
    *,
    ext: WordArray | None = None,
    scratchpad: WordArray | None = None,
    ext_words: int = DEFAULT_EXT_WORDS,
    read_latency: int = DEFAULT_READ_LATENCY,
) -> Bundle:
    """Return the program with a HALT after it."""
    code = encode_program([*instructions, Halt()])
    image = np.zeros(0, np.uint32) if ext is None else ext
    return Bundle(code, image, ext_words, read_latency, scratchpad)


def full_scratchpad(generator: np.random.Generator) -> WordArray:
    """Return random words for the whole scratchpad, so that a stray write anywhere shows."""
    return random_words(generator, SCRATCHPAD_WORDS)


def tour(generator: np.random.Generator, read_latency: int = DEFAULT_READ_LATENCY) -> Bundle:
    """Return a good program that uses every unit and stores what it computed."""
    instructions: list[Instruction] = [
        Load(0, 0, 128),
        MatMul(256, 0, 32, 4, 8, 4, lda=8, ldb=4, ldc=4),
        Requantize(256, 256, 16, 9_000_000, 31),
        VectorAdd(300, 256, 256, 16),
        Softmax(320, 300, 16),
        ArgMax(340, 320, 16),
        Store(256, 512, 100),
    ]
    scratchpad = full_scratchpad(generator)
    return bundle_of(
        instructions, ext=random_words(generator, 128), scratchpad=scratchpad, read_latency=read_latency
    )
