"""Runs programs that are named one by one."""

from __future__ import annotations

from typing import Annotated

import pyuvm
from pydantic import Field

from sequences.directed_sequence import DirectedSequence
from sequences.named_programs import named_program, require_program
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import DataSeed, legal


@pyuvm.test()
class NamedProgramsTest(BenchTest):
    """Programs as sequences/named_programs.py spells them."""

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        programs: tuple[Annotated[str, legal(require_program)], ...] = Field(min_length=1)
        seed: DataSeed

    parameters: Parameters

    async def stimulate(self) -> None:
        """Run them one after another, in one simulation."""
        sequence = DirectedSequence.create("named_programs")
        sequence.programs = [named_program(name, self.parameters.seed) for name in self.parameters.programs]
        await sequence.start(self.environment.sequencer)
