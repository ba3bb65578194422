"""Verifier blocks of chosen shapes over caches of random rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import numpy as np

from refmodel.language.programs import ProgramFamily
from refmodel.language.target import MAX_CONTEXT
from refmodel.machine.bundle import DEFAULT_READ_LATENCY
from sequences.compiled_sequence import CompiledSequence
from sequences.random_cache import inputs_over_random_cache

BlockShape = tuple[int, int]
"""Rows in the cache, rows of the block."""

MAX_BLOCK_ROWS = 8
"""Rows of the largest block that tests ask for: the last token and seven guesses."""


class VerifierBlockSequence(CompiledSequence):
    """Runs one block for each of `shapes`; set that, `family` and `seed` before it starts.

    The inputs of a block depend on the seed and its shape alone.
    """

    family: ProgramFamily
    shapes: Sequence[BlockShape] = ()
    seed = 1
    read_latencies: Sequence[int] = (DEFAULT_READ_LATENCY,)
    """The blocks take them in turn."""

    async def body(self) -> None:
        """Run them all."""
        target = self.family.for_plain()
        for (cached, rows), latency in zip(self.shapes, cycle(self.read_latencies), strict=False):
            program = target.verifier(cached, rows)
            generator = np.random.default_rng([self.seed, cached, rows])
            inputs = inputs_over_random_cache(target, program, generator)
            name = f"{self.get_name()}-c{cached}-m{rows}"
            await self.send_compiled(name, program, inputs, read_latency=latency)


def every_shape() -> list[BlockShape]:
    """Return all 484 shapes of up to 8 rows whose last row sees no more than 64 tokens."""
    return [
        (cached, rows) for rows in range(1, MAX_BLOCK_ROWS + 1) for cached in range(MAX_CONTEXT - rows + 1)
    ]
