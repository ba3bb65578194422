"""Programs whose reads are answered after random delays, and in every pattern of delays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Instruction, Load, Store
from refmodel.isa.limits import MAX_LENGTH
from sequences.directed.directed_program import (
    DirectedProgram,
    bundle_of,
    full_scratchpad,
    random_words,
    tour,
)
from sequences.stimulus import DELAY_PATTERNS, ResponseDelays, Stimulus

LOADS: tuple[Instruction, ...] = (
    Load(0, 0, 1), Load(1, 1, 2), Load(3, 0, 17), Store(0, 300, 20), Load(100, 290, 40), Store(90, 310, 50),
)  # fmt: skip
"""Loads of what was stored before them, too."""


def delayed_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield short programs under ranges and patterns of delays, then an LD with all its reads outstanding."""
    generator = np.random.default_rng([seed, 20])
    for longest in (1, 2, 5, 30, 120):
        for number in range(3):
            delays = ResponseDelays(int(generator.integers(1 << 31)), longest)
            image, scratchpad = random_words(generator, 400), full_scratchpad(generator)
            bundle = bundle_of(LOADS, ext=image, scratchpad=scratchpad)
            name = f"delays/{longest}-{number}"
            yield DirectedProgram(f"{name}-loads", bundle, Stimulus(response_delays=delays))
            yield DirectedProgram(f"{name}-tour", tour(generator), Stimulus(response_delays=delays))
    for pattern in DELAY_PATTERNS:
        for shortest, longest in ((1, 2), (1, 30), (9, 40)):
            seed_of_delays = int(generator.integers(1 << 31))
            delays = ResponseDelays(seed_of_delays, longest, shortest, pattern)
            bundle = bundle_of(LOADS, ext=random_words(generator, 400), scratchpad=full_scratchpad(generator))
            name = f"delays/{pattern}-{shortest}-{longest}"
            yield DirectedProgram(f"{name}-loads", bundle, Stimulus(response_delays=delays))
            yield DirectedProgram(f"{name}-tour", tour(generator), Stimulus(response_delays=delays))
    beyond = MAX_LENGTH + 5
    delays = ResponseDelays(seed, longest=beyond, shortest=beyond)
    bundle = bundle_of([Load(0, 0, MAX_LENGTH)], ext=random_words(generator, MAX_LENGTH))
    yield DirectedProgram("delays/all-outstanding", bundle, Stimulus(response_delays=delays))
    yield DirectedProgram("delays/none-afterwards", tour(generator))
