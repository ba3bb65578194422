"""Random graphs, compiled and run: the RTL, the machine and the integer interpreter must agree."""

from __future__ import annotations

import pyuvm

from sequences.random_graphs.graph_sequence import RandomGraphSequence
from verif.scoreboard.interpreter_comparison import compare_with_interpreter
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class RandomGraphTest(BenchTest):
    """Parameters `seed` and `count`: graphs of the seeds from `seed` on, of which each is run twice.

    Optional `seeds`: graphs of these seeds instead.
    """

    async def stimulate(self) -> None:
        """Run them."""
        sequence = RandomGraphSequence.create("graphs")
        sequence.seeds = self.parameters.get("seeds") or self._drawn()
        sequence.observers.append(
            lambda *run: self.environment.scoreboard.take(compare_with_interpreter(*run))
        )
        await sequence.start(self.environment.sequencer)

    def _drawn(self) -> range:
        first: int = self.parameters["seed"]
        return range(first, first + self.parameters["count"])
