"""The runs of a random graph: each a compiled program with its inputs, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from refmodel.capra.program import Program
from refmodel.isa.limits import MAX_READ_LATENCY
from refmodel.machine.bundle import Bundle
from sequences.random_graphs.build import SAMPLES, build
from sequences.random_graphs.draw import draw_plan
from sequences.random_graphs.memory import fits_without_reuse

LONGEST_USUAL_LATENCY = 32


@dataclass(frozen=True, eq=False)
class GraphRun:
    """One of them."""

    name: str
    program: Program
    inputs: Mapping[str, ArrayLike]
    read_latency: int

    def bundle(self) -> Bundle:
        """Return what to run."""
        return replace(self.program.bundle(self.inputs), read_latency=self.read_latency)


def graph_runs(seed: int) -> Iterator[GraphRun]:
    """Yield the two runs of a seed's graph: on a calibration sample, and on fresh values.

    The second keeps every tensor in the scratchpad where there is room for all. Read latencies are drawn from
    1 to 32, and now and then up to the longest.
    """
    built = build(draw_plan(seed))
    first, second = read_latencies(seed)
    kept = built.program(reuse=not fits_without_reuse(built.plan))
    yield GraphRun(f"graph-{seed}-seen", built.program(), built.inputs(0), first)
    yield GraphRun(f"graph-{seed}-fresh", kept, built.inputs(SAMPLES), second)


def read_latencies(seed: int) -> tuple[int, int]:
    """Return the read latencies of a graph's two runs."""
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, 31])))
    longest = MAX_READ_LATENCY if seed % 8 == 0 else LONGEST_USUAL_LATENCY
    first, second = generator.integers(1, longest, 2, endpoint=True).tolist()
    return first, second
