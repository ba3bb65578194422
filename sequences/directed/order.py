"""Every instruction directly after every other one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import ArgMax, Instruction, Load, MatMul, Requantize, Softmax, Store, VectorAdd
from sequences.directed.directed_program import DirectedProgram, bundle_of, full_scratchpad, random_words

STEPS: dict[str, Instruction] = {
    "ld": Load(0, 0, 8),
    "st": Store(40, 100, 8),
    "mm": MatMul(100, 0, 4, 2, 4, 2, lda=4, ldb=2, ldc=2),
    "rq": Requantize(120, 100, 4, 9_000_000, 30),
    "sm": Softmax(140, 120, 4),
    "vadd": VectorAdd(40, 120, 0, 4),
    "amax": ArgMax(44, 140, 4),
}
"""One of each; most read what another one wrote."""


def order_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield a program for each instruction, which stands before and after every other one in it."""
    generator = np.random.default_rng([seed, 10])
    for name, step in STEPS.items():
        around = [instruction for other in STEPS.values() for instruction in (step, other)]
        bundle = bundle_of(
            [*around, step], ext=random_words(generator, 128), scratchpad=full_scratchpad(generator)
        )
        yield DirectedProgram(f"order/{name}", bundle)
