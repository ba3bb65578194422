"""Random response delays and full traffic monitoring at the memory ports."""

from __future__ import annotations

import pyuvm

from refmodel.language.programs import ProgramFamily
from refmodel.language.target import MAX_CONTEXT, make_target
from sequences.compiled_delays import CompiledDelaySequence
from sequences.directed_sequence import DirectedSequence
from sequences.random_delays import delayed_programs
from verif.scoreboard.interpreter_comparison import compare_with_interpreter
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import DataSeed


@pyuvm.test()
class RandomDelayTest(BenchTest):
    """Programs whose reads are answered after random delays."""

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        seed: DataSeed
        """Of the delays and the data."""

    parameters: Parameters

    async def stimulate(self) -> None:
        """Run the programs; busy times must follow the delays exactly."""
        sequence = DirectedSequence.create("delays")
        sequence.programs = delayed_programs(self.parameters.seed)
        await sequence.start(self.environment.sequencer)


@pyuvm.test()
class CompiledDelayTest(BenchTest):
    """Compiled programs whose reads are answered after random delays."""

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        seed: DataSeed
        """Of the delays, the graphs and the data."""

    parameters: Parameters

    async def stimulate(self) -> None:
        """Run compiled programs; tensors must be what they are under a fixed latency."""
        sequence = CompiledDelaySequence.create("compiled_delays")
        sequence.family = ProgramFamily(make_target("random", self.parameters.seed), "model", MAX_CONTEXT)
        sequence.seed = self.parameters.seed
        scoreboard = self.environment.scoreboard
        sequence.observers.append(lambda *run: scoreboard.take(compare_with_interpreter(*run)))
        await sequence.start(self.environment.sequencer)
