"""Random graphs, compiled and run: the RTL, the machine and the integer interpreter must agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self

import pyuvm
from pydantic import Field, model_validator

from sequences.random_graphs.graph_sequence import RandomGraphSequence
from verif.scoreboard.interpreter_comparison import compare_with_interpreter
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import DataSeed


@pyuvm.test()
class RandomGraphTest(BenchTest):
    """Graphs of consecutive seeds, or of those that are named; each runs twice."""

    class Parameters(BenchTest.Parameters):
        """Either `seed` and `count`, or `seeds`."""

        seed: DataSeed | None = None
        """The first."""
        count: Annotated[int, Field(ge=1)] | None = None
        seeds: tuple[DataSeed, ...] = ()

        @model_validator(mode="after")
        def _has_seeds(self) -> Self:
            if not self.seeds and (self.seed is None or self.count is None):
                raise ValueError("give seed and count, or seeds")
            return self

        @property
        def graphs(self) -> Sequence[int]:
            """The seeds of the graphs."""
            first, count = self.seed or 0, self.count or 0
            return self.seeds or range(first, first + count)

    parameters: Parameters

    async def stimulate(self) -> None:
        """Run them."""
        sequence = RandomGraphSequence.create("graphs")
        sequence.seeds = self.parameters.graphs
        sequence.observers.append(
            lambda *run: self.environment.scoreboard.take(compare_with_interpreter(*run))
        )
        await sequence.start(self.environment.sequencer)
