"""Random graphs, compiled and run: the RTL, the machine and the integer interpreter must agree."""

from __future__ import annotations

import pyuvm

from sequences.random_graphs.graph_sequence import RandomGraphSequence
from verif.interpreter_comparison import compare_with_interpreter
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class RandomGraphTest(BenchTest):
    """Parameters `first_seed` and `graphs`: the graphs of that many seeds, two runs each."""

    async def stimulate(self) -> None:
        """Run them."""
        first = self.parameters["first_seed"]
        sequence = RandomGraphSequence.create("graphs")
        sequence.seeds = range(first, first + self.parameters["graphs"])
        sequence.observers.append(
            lambda *run: self.environment.scoreboard.take(compare_with_interpreter(*run))
        )
        await sequence.start(self.environment.sequencer)
