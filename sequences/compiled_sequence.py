"""The base of sequences of compiled programs, which tell their observers what each run was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from numpy.typing import ArrayLike

from refmodel.capra.program import Program
from refmodel.machine.bundle import DEFAULT_READ_LATENCY
from refmodel.machine.result import RunResult
from sequences.program_sequence import ProgramSequence
from sequences.stimulus import PLAIN, Stimulus

Observer = Callable[[str, Program, Mapping[str, ArrayLike], RunResult], None]
"""Takes the name of a run, its program, the real inputs, and what the RTL left behind."""


class CompiledSequence(ProgramSequence):
    """A sequence whose `body` calls `send_compiled` for each run of a program."""

    def __init__(self, name: str = "compiled") -> None:
        """Make a sequence that nobody observes."""
        super().__init__(name)
        self.observers: list[Observer] = []

    async def send_compiled(
        self,
        name: str,
        program: Program,
        inputs: Mapping[str, ArrayLike],
        *,
        read_latency: int = DEFAULT_READ_LATENCY,
        stimulus: Stimulus = PLAIN,
    ) -> RunResult:
        """Run a program on real inputs and tell the observers; errors as of `send`."""
        bundle = program.bundle(inputs)
        if read_latency != bundle.read_latency:
            bundle = replace(bundle, read_latency=read_latency)
        result = await self.send(name, bundle, stimulus)
        for observe in self.observers:
            observe(name, program, inputs, result)
        return result
