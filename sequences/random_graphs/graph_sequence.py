"""Compiles random graphs and runs them on the RTL."""

from __future__ import annotations

from collections.abc import Iterable

from sequences.compiled_sequence import CompiledSequence
from sequences.random_graphs.graph_runs import graph_runs


class RandomGraphSequence(CompiledSequence):
    """Runs the graph of each of `seeds`, set before it starts: `graph_runs`."""

    seeds: Iterable[int] = ()

    async def body(self) -> None:
        """Run them all."""
        for seed in self.seeds:
            for run in graph_runs(seed):
                await self.send_compiled(run.name, run.program, run.inputs, read_latency=run.read_latency)
