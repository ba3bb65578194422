"""Compiled programs whose reads are answered in every pattern of delays."""

from __future__ import annotations

import numpy as np

from refmodel.language.programs import ProgramFamily
from sequences.compiled_sequence import CompiledSequence
from sequences.random_cache import inputs_over_random_cache
from sequences.random_graphs.build import build
from sequences.random_graphs.draw import draw_plan
from sequences.stimulus import DELAY_PATTERNS, ResponseDelays, Stimulus
from sequences.verifier_block import BlockShape

SHAPE: BlockShape = (5, 2)
LONGEST, SHORTEST = 25, 2


class CompiledDelaySequence(CompiledSequence):
    """Runs a verifier block and a random graph under each pattern; set `family` and `seed` before."""

    family: ProgramFamily
    seed = 1

    async def body(self) -> None:
        """Run them all."""
        target = self.family.for_plain()
        block = target.verifier(*SHAPE)
        for number, pattern in enumerate(DELAY_PATTERNS):
            delays = ResponseDelays(self.seed + number, LONGEST, SHORTEST, pattern)
            stimulus = Stimulus(response_delays=delays)
            generator = np.random.default_rng([self.seed, number])
            inputs = inputs_over_random_cache(target, block, generator)
            await self.send_compiled(f"block-{pattern}", block, inputs, stimulus=stimulus)
            graph = build(draw_plan(self.seed + number))
            await self.send_compiled(f"graph-{pattern}", graph.program(), graph.inputs(0), stimulus=stimulus)
