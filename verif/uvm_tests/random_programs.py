"""Runs constrained-random programs."""

from __future__ import annotations

from pathlib import Path

import pyuvm

from sequences.random_program_sequence import RandomProgramSequence
from sequences.random_programs import default_weights, load_weights, random_programs, with_predecessors
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class RandomProgramTest(BenchTest):
    """Parameters `seed` and `count`: programs 0 to `count` − 1 of that seed. Optional `weights`: a file.

    Optional `only`: numbers of programs to run instead, each after those of its series that it reads from.
    """

    async def stimulate(self) -> None:
        """Run the programs, each generated while the sequence runs."""
        seed, path = self.parameters["seed"], self.parameters.get("weights")
        weights = default_weights() if path is None else load_weights(Path(path))
        only = self.parameters.get("only")
        numbers = range(self.parameters["count"]) if only is None else with_predecessors(seed, only, weights)
        sequence = RandomProgramSequence.create("random_programs")
        sequence.programs = random_programs(seed, numbers, weights)
        await sequence.start(self.environment.sequencer)
