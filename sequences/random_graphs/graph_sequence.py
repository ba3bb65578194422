"""Compiles random graphs and runs them on the RTL."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from refmodel.isa.limits import MAX_READ_LATENCY
from sequences.compiled_sequence import CompiledSequence
from sequences.random_graphs.build import SAMPLES, build
from sequences.random_graphs.draw import draw_plan
from sequences.random_graphs.memory import fits_without_reuse

LONGEST_USUAL_LATENCY = 32


class RandomGraphSequence(CompiledSequence):
    """Runs the graph of each of `seeds`, set before it starts: on a calibration sample, and on fresh values.

    The second run keeps every tensor in the scratchpad where there is room for all. Read latencies are drawn
    from 1 to 32, and now and then up to the longest.
    """

    seeds: Iterable[int] = ()

    async def body(self) -> None:
        """Run them all."""
        for seed in self.seeds:
            built = build(draw_plan(seed))
            first, second = read_latencies(seed)
            name = f"graph-{seed}"
            kept = built.program(reuse=not fits_without_reuse(built.plan))
            await self.send_compiled(f"{name}-seen", built.program(), built.inputs(0), read_latency=first)
            await self.send_compiled(f"{name}-fresh", kept, built.inputs(SAMPLES), read_latency=second)


def read_latencies(seed: int) -> tuple[int, int]:
    """Return the read latencies of a graph's two runs."""
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, 31])))
    longest = MAX_READ_LATENCY if seed % 8 == 0 else LONGEST_USUAL_LATENCY
    first, second = generator.integers(1, longest, 2, endpoint=True).tolist()
    return first, second
