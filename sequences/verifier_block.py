"""Verifier blocks of chosen shapes over caches of random rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from refmodel.language.programs import ProgramFamily
from refmodel.language.target import VOCABULARY
from refmodel.machine.bundle import Bundle
from sequences.program_sequence import ProgramSequence

BlockShape = tuple[int, int]
"""Rows in the cache, rows of the block."""


class VerifierBlockSequence(ProgramSequence):
    """Runs one block for each of `shapes`; set that, `family` and `seed` before it starts."""

    family: ProgramFamily
    shapes: Sequence[BlockShape] = ()
    seed = 1

    async def body(self) -> None:
        """Run them all."""
        generator = np.random.default_rng(self.seed)
        for cached, rows in self.shapes:
            bundle = verifier_bundle(self.family, (cached, rows), generator)
            await self.send(f"verifier-c{cached}-m{rows}", bundle)


def verifier_bundle(family: ProgramFamily, shape: BlockShape, generator: np.random.Generator) -> Bundle:
    """Return a block of random tokens over a cache that fills its whole range."""
    cached, rows = shape
    target = family.for_plain()
    program = target.verifier(cached, rows)
    inputs = {"x": target.embedding[generator.integers(0, VOCABULARY, rows)]}
    for name in ("kc", "vc"):
        if name in program.inputs:
            port = program.inputs[name]
            inputs[name] = generator.uniform(-127.0, 127.0, port.shape) * port.scale
    return program.bundle(inputs)
