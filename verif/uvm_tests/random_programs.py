"""Runs constrained-random programs, and tells what reached the chip."""

from __future__ import annotations

from typing import Annotated, Self

import pyuvm
from pydantic import Field, model_validator
from pyuvm import uvm_subscriber

from sequences.directed.directed_program import DirectedProgram
from sequences.program_item import ProgramItem
from sequences.random_program_sequence import RandomProgramSequence
from sequences.random_programs import (
    Weights,
    default_weights,
    load_weights,
    random_programs,
    with_predecessors,
)
from verif.series.program_identity import StimulusDigest
from verif.simulation.plain_path import REPOSITORY
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import DataSeed, legal


def weights_at(path: str | None) -> Weights:
    """Return the weights of a file, by its path from the project's directory on; else the default."""
    return default_weights() if path is None else load_weights(REPOSITORY / path)


@pyuvm.test()
class RandomProgramTest(BenchTest):
    """Programs of one seed: the first of them, or those that are named.

    Payload `stimulus`: the digest of all that was sent, a `StimulusDigest`.
    """

    class Parameters(BenchTest.Parameters):
        """Either `count` or `only`."""

        seed: DataSeed
        count: Annotated[int, Field(ge=1)] | None = None
        only: tuple[Annotated[int, Field(ge=0)], ...] = ()
        """Numbers of programs, each of which runs after those of its series that it reads from."""
        weights: Annotated[str | None, legal(weights_at)] = None
        """A file."""

        @model_validator(mode="after")
        def _has_programs(self) -> Self:
            if self.count is None and not self.only:
                raise ValueError("give count or only")
            return self

    parameters: Parameters

    def build_phase(self) -> None:
        """Make what listens to the driver."""
        super().build_phase()
        self.sent = SentPrograms.create("sent", self)

    def connect_phase(self) -> None:
        """Let it listen."""
        self.environment.programs.driver.sent.connect(self.sent.analysis_export)

    async def stimulate(self) -> None:
        """Run the programs, each generated while the sequence runs."""
        seed, only = self.parameters.seed, self.parameters.only
        weights = weights_at(self.parameters.weights)
        numbers = with_predecessors(seed, only, weights) if only else range(self.parameters.count or 0)
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
