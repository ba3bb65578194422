"""Loads under read latencies up to 33, of 255, 1000 and the longest: longer and shorter than the transfer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Instruction, Load, Store
from refmodel.isa.limits import MAX_LENGTH, MAX_READ_LATENCY
from sequences.directed.directed_program import (
    DirectedProgram,
    bundle_of,
    full_scratchpad,
    random_words,
    tour,
)
from sequences.stimulus import DelayPattern, ResponseDelays, Stimulus

TELLING = (1, 2, 8, 32, 255)
"""The shortest, the standard, some that are longer than some loads and shorter than others."""

LATENCIES = (*TELLING, *(each for each in range(1, 34) if each not in TELLING))
"""In the order in which data is drawn for them."""

LONG = 1000
"""Longer than nine bits count, and shorter than the longest."""

GAPS: tuple[DelayPattern, ...] = ("bursts", "alternating")
LONG_LOAD = 1500
"""Words of an LD whose answers come with gaps: a counter of 10 bits would be too short."""

HALF = 2048
"""Words of an LD whose count has its highest bit set alone."""


LOADS: tuple[Instruction, ...] = (
    Load(0, 0, 1), Load(1, 1, 7), Load(8, 8, 8), Load(16, 16, 9), Load(30, 30, 33), Load(100, 0, 300),
    Store(100, 400, 300),
)  # fmt: skip


def latency_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield for each latency loads of several lengths back to back, and a program that uses every unit.

    Then loads all of whose requests are outstanding at once, and long ones whose answers come with gaps.
    """
    generator = np.random.default_rng([seed, 7])
    for latency in LATENCIES:
        yield from _under(latency, generator)
    yield from _under(MAX_READ_LATENCY, generator)
    outstanding = bundle_of(
        [Load(0, 0, MAX_LENGTH), Load(1, 0, HALF), Store(0, 0, HALF)],
        ext=random_words(generator, MAX_LENGTH),
        scratchpad=full_scratchpad(generator),
        read_latency=MAX_READ_LATENCY,
    )
    yield DirectedProgram("latencies/all-outstanding", outstanding)
    for pattern in GAPS:
        delays = ResponseDelays(seed, 40, 2, pattern)
        bundle = bundle_of(
            [Load(3000, 5, LONG_LOAD), Store(3000, 4000, LONG_LOAD)],
            ext=random_words(generator, 2000),
            scratchpad=full_scratchpad(generator),
        )
        yield DirectedProgram(f"latencies/{pattern}-{LONG_LOAD}", bundle, Stimulus(response_delays=delays))
    gaps = Stimulus(response_delays=ResponseDelays(seed, 6, 2, "bursts"))
    yield DirectedProgram(f"latencies/bursts-{MAX_LENGTH}", outstanding, gaps)
    yield from _under(LONG, generator)


def _under(latency: int, generator: np.random.Generator) -> Iterator[DirectedProgram]:
    bundle = bundle_of(
        LOADS,
        ext=random_words(generator, 300),
        scratchpad=full_scratchpad(generator),
        read_latency=latency,
    )
    yield DirectedProgram(f"latencies/{latency}-loads", bundle)
    yield DirectedProgram(f"latencies/{latency}-tour", tour(generator, read_latency=latency))
