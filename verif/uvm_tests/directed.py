"""Runs the directed programs."""

from __future__ import annotations

from typing import Annotated

import pyuvm
from pydantic import Field

from sequences.directed import GROUPS, LONG_GROUPS
from sequences.directed_sequence import DirectedSequence
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import DataSeed, ReadLatency, one_of

ALL_GROUPS = {**GROUPS, **LONG_GROUPS}


@pyuvm.test()
class DirectedTest(BenchTest):
    """Groups of directed programs."""

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        seed: DataSeed
        groups: tuple[Annotated[str, one_of("group", ALL_GROUPS)], ...] = Field(tuple(GROUPS), min_length=1)
        read_latency: ReadLatency | None = None
        """Of all programs instead of their own."""

    parameters: Parameters

    async def stimulate(self) -> None:
        """Run the groups one after another, in one simulation."""
        for name in self.parameters.groups:
            sequence = DirectedSequence.create(name)
            sequence.programs = ALL_GROUPS[name](self.parameters.seed)
            sequence.read_latency = self.parameters.read_latency
            await sequence.start(self.environment.sequencer)
