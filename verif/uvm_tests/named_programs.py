"""Runs programs that are named one by one."""

from __future__ import annotations

import pyuvm

from sequences.directed_sequence import DirectedSequence
from sequences.named_programs import named_program
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class NamedProgramsTest(BenchTest):
    """Parameters `programs`: names, as sequences/named_programs.py spells them; `seed`: of their data."""

    async def stimulate(self) -> None:
        """Run them one after another, in one simulation."""
        sequence = DirectedSequence.create("named_programs")
        sequence.programs = [
            named_program(name, self.parameters["seed"]) for name in self.parameters["programs"]
        ]
        await sequence.start(self.environment.sequencer)
