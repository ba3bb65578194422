"""Traces directed programs on a chip that is right: the trace mode's own test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import pyuvm
from pydantic import Field

from sequences.directed import GROUPS
from sequences.directed.directed_program import DirectedProgram
from sequences.directed_sequence import DirectedSequence
from sequences.random_delays import delayed_programs
from sequences.traced_sequence import TracedSequence
from verif.bfm.observation import Observation
from verif.failure.diagnosis import diagnose
from verif.trace.traced_run import TracedRun
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import DataSeed, one_of


@pyuvm.test()
class TracedDirectedTest(BenchTest):
    """Payload: `traced`, the number of programs; `events`, their number; `divergences`, in sentences."""

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        groups: tuple[Annotated[str, one_of("group", GROUPS)], ...] = Field(min_length=1)
        seed: DataSeed
        every: Annotated[int, Field(ge=1)]
        """Each n-th program is traced, and only the one before it runs too."""
        delays: bool = False
        """Are there also programs whose reads are answered after random delays?"""

    parameters: Parameters

    async def stimulate(self) -> None:
        """Trace some programs, each after the program before it: some use what that one left."""
        payload = self.report.payload
        payload |= {"traced": 0, "events": 0, "divergences": []}
        self._observed: list[Observation] = []
        self.bfm.listeners.append(lambda _, observation: self._observed.append(observation))
        history = self.environment.scoreboard.history
        for number, program in enumerate(self._programs()):
            traced = number % self.parameters.every == 0
            if not traced and (number + 1) % self.parameters.every != 0:
                continue
            before = history.last_result
            sequence = (TracedSequence if traced else DirectedSequence).create("one")
            sequence.programs = [program]
            await sequence.start(self.environment.sequencer)
            if traced:
                run = self._seen(program)
                payload["traced"] += 1
                payload["events"] += len(run.recorded.entries)
                divergence = diagnose(program, before, run).divergence
                if divergence is not None:
                    payload["divergences"].append(f"{program.name}: {divergence.message}")

    def _programs(self) -> Iterator[DirectedProgram]:
        for group in self.parameters.groups:
            yield from GROUPS[group](self.parameters.seed)
        if self.parameters.delays:
            yield from delayed_programs(self.parameters.seed)

    def _seen(self, program: DirectedProgram) -> TracedRun:
        assert self.bfm.recorded is not None, f"{program.name} ran without leaving a trace"
        return TracedRun.of(self.bfm.recorded, self._observed[-1])
