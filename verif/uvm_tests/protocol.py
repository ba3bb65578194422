"""Random response delays and full traffic monitoring at the memory ports."""

from __future__ import annotations

import pyuvm

from sequences.directed_sequence import DirectedSequence
from sequences.random_delays import delayed_programs
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class RandomDelayTest(BenchTest):
    """Parameter `seed`: of the delays and the data."""

    async def stimulate(self) -> None:
        """Run the programs; busy times must follow the delays exactly."""
        sequence = DirectedSequence.create("delays")
        sequence.programs = delayed_programs(self.parameters["seed"])
        await sequence.start(self.environment.sequencer)
