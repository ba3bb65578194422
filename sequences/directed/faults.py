"""HALT in every form and every fault, as the first word and after good work."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.encoding import encode, encode_program
from refmodel.isa.instructions import (
    ArgMax,
    Illegal,
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
from sequences.directed.directed_program import DirectedProgram, full_scratchpad, random_words, tour

WORK: tuple[Instruction, ...] = (Load(0, 0, 8), Store(0, 100, 8))
"""Good instructions before the fault."""

BAD_LENGTHS = (0, 4096, 0x8001, 0xFFFF)
BAD_TILES = (0, 5, 68, 255)
BAD_DEPTHS = (0, 65, 128, 255)


def fault_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield the programs; after the bad word come instructions that must not run."""
    generator = np.random.default_rng([seed, 6])
    noise = int.from_bytes(generator.bytes(15), "little")
    halts: dict[str, tuple[int, ...]] = {"empty": (), "zero": (0,), "noise": (noise,)}
    for name, code in halts.items():
        image = random_words(generator, 16)
        yield DirectedProgram(
            f"faults/halt-{name}", Bundle(code, image, scratchpad=full_scratchpad(generator))
        )
    for name, word in _bad_words():
        for place, before in (("first", ()), ("after-work", WORK), ("late", WORK * 5)):
            code = (*encode_program(before), word, *encode_program(WORK), 0)
            image = random_words(generator, 16)
            bundle = Bundle(code, image, scratchpad=full_scratchpad(generator))
            yield DirectedProgram(f"faults/{name}-{place}", bundle)
    yield DirectedProgram("faults/good-program-afterwards", tour(generator))
    yield from _upper_half(seed)


def _upper_half(seed: int) -> Iterator[DirectedProgram]:
    """Yield a word for each illegal operation code that would be legal without its uppermost bit."""
    generator = np.random.default_rng([seed, 34])
    operations = (
        *WORK,
        MatMul(0, 8, 16, 2, 2, 2),
        Requantize(0, 8, 4, 1, 0),
        Softmax(0, 8, 4),
        VectorAdd(0, 8, 16, 4),
        ArgMax(0, 8, 4),
    )
    for word in (4 << 76, *encode_program(operations)):  # a HALT with a length first
        code = (word | 1 << 127, *encode_program(WORK), 0)
        image = random_words(generator, 16)
        bundle = Bundle(code, image, scratchpad=full_scratchpad(generator))
        yield DirectedProgram(f"faults/opcode-{code[0] >> 124}-with-operands", bundle)


def _bad_words() -> Iterator[tuple[str, int]]:
    for opcode in range(len(Opcode), 16):
        yield f"opcode-{opcode}", encode(Illegal(opcode)) | (1 << 100)
    for length in BAD_LENGTHS:
        yield f"ld-length-{length}", encode(Load(0, 0, length))
        yield f"st-length-{length}", encode(Store(0, 0, length))
        yield f"rq-length-{length}", encode(Requantize(0, 0, length, 1, 1))
        yield f"sm-length-{length}", encode(Softmax(0, 0, length))
        yield f"vadd-length-{length}", encode(VectorAdd(0, 0, 0, length))
        yield f"amax-length-{length}", encode(ArgMax(0, 0, length))
    for tile in BAD_TILES:
        yield f"mm-m-{tile}", encode(MatMul(0, 0, 0, tile, 4, 4))
        yield f"mm-n-{tile}", encode(MatMul(0, 0, 0, 4, 4, tile))
    for depth in BAD_DEPTHS:
        yield f"mm-k-{depth}", encode(MatMul(0, 0, 0, 4, depth, 4))
