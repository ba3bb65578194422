"""Runs the directed programs."""

from __future__ import annotations

import pyuvm

from sequences.directed import GROUPS, LONG_GROUPS
from sequences.directed_sequence import DirectedSequence
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class DirectedTest(BenchTest):
    """Parameters `groups`: names of groups (default: all); `seed`: of their data; `read_latency`: of all
    programs instead of their own.
    """

    async def stimulate(self) -> None:
        """Run the groups one after another, in one simulation."""
        for name in self.parameters.get("groups", GROUPS):
            sequence = DirectedSequence.create(name)
            sequence.programs = {**GROUPS, **LONG_GROUPS}[name](self.parameters["seed"])
            sequence.read_latency = self.parameters.get("read_latency")
            await sequence.start(self.environment.sequencer)
