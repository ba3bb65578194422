"""Runs constrained-random programs, and tells what reached the chip."""

from __future__ import annotations

import pyuvm
from pyuvm import uvm_subscriber

from sequences.directed.directed_program import DirectedProgram
from sequences.program_item import ProgramItem
from sequences.random_program_sequence import RandomProgramSequence
from sequences.random_programs import default_weights, load_weights, random_programs, with_predecessors
from verif.series.program_identity import StimulusDigest
from verif.simulation.sim_make import REPOSITORY
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class RandomProgramTest(BenchTest):
    """Parameters `seed` and `count`: programs 0 to `count` − 1 of that seed. Optional `weights`: a file,
    by its path from the project's directory on.

    Optional `only`: numbers of programs to run instead, each after those of its series that it reads from.

    Payload `stimulus`: the digest of all that was sent, a `StimulusDigest`.
    """

    def build_phase(self) -> None:
        """Make what listens to the driver."""
        super().build_phase()
        self.sent = SentPrograms.create("sent", self)

    def connect_phase(self) -> None:
        """Let it listen."""
        self.environment.programs.driver.sent.connect(self.sent.analysis_export)

    async def stimulate(self) -> None:
        """Run the programs, each generated while the sequence runs."""
        seed, path = self.parameters["seed"], self.parameters.get("weights")
        weights = default_weights() if path is None else load_weights(REPOSITORY / path)
        only = self.parameters.get("only")
        numbers = range(self.parameters["count"]) if only is None else with_predecessors(seed, only, weights)
        sequence = RandomProgramSequence.create("random_programs")
        sequence.programs = random_programs(seed, numbers, weights)
        await sequence.start(self.environment.sequencer)
        self.report.payload["stimulus"] = self.sent.digest.hexdigest()


class SentPrograms(uvm_subscriber):
    """Hashes each program that the driver sends."""

    def build_phase(self) -> None:
        """Begin with none."""
        super().build_phase()
        self.digest = StimulusDigest()

    def write(self, tt: tuple[int, ProgramItem]) -> None:
        """Take a run and its item."""
        _, item = tt
        self.digest.add(DirectedProgram(item.get_name(), item.program(), item.stimulus))
