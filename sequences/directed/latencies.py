"""Loads under every read latency up to 33 and the longest: longer and shorter than the transfer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Instruction, Load, Store
from refmodel.isa.limits import MAX_READ_LATENCY
from sequences.directed.directed_program import (
    DirectedProgram,
    bundle_of,
    full_scratchpad,
    random_words,
    tour,
)

TELLING = (1, 2, 8, 32, MAX_READ_LATENCY)
"""The ends, the standard, and one that is longer than some loads and shorter than others."""

LATENCIES = (*TELLING, *(each for each in range(1, 34) if each not in TELLING))
"""In the order in which data is drawn for them."""


def latency_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield for each latency loads of several lengths back to back, and a program that uses every unit."""
    generator = np.random.default_rng([seed, 7])
    loads: list[Instruction] = [
        Load(0, 0, 1), Load(1, 1, 7), Load(8, 8, 8), Load(16, 16, 9), Load(30, 30, 33), Load(100, 0, 300),
        Store(100, 400, 300),
    ]  # fmt: skip
    for latency in LATENCIES:
        bundle = bundle_of(
            loads,
            ext=random_words(generator, 300),
            scratchpad=full_scratchpad(generator),
            read_latency=latency,
        )
        yield DirectedProgram(f"latencies/{latency}-loads", bundle)
        yield DirectedProgram(f"latencies/{latency}-tour", tour(generator, read_latency=latency))
