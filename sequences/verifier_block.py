"""Verifier blocks of chosen shapes over caches of random rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from refmodel.language.programs import ProgramFamily
from refmodel.machine.bundle import Bundle
from sequences.program_sequence import ProgramSequence
from sequences.random_cache import bundle_over_random_cache

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
    target = family.for_plain()
    return bundle_over_random_cache(target, target.verifier(*shape), generator)
