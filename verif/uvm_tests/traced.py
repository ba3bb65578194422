"""Runs a series of programs again, the last of them in trace mode."""

from __future__ import annotations

from pathlib import Path

import pyuvm

from sequences.directed.directed_program import DirectedProgram
from sequences.program_list_file import load_programs
from sequences.traced_sequence import TracedSequence
from verif.analysis import AnalysisImplementation
from verif.bfm.observation import Observation
from verif.memory_agent.traffic import MemoryTraffic
from verif.trace.traced_run import TracedRun
from verif.uvm_tests.base_test import BenchTest
from verif.waves.window import WaveWindow


@pyuvm.test()
class TracedTest(BenchTest):
    """Payload: a `TracedRun` of the last program as JSON; empty if an earlier one kept it from running."""

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        series: str
        """The directory of a series of programs (sequences/program_list_file.py)."""
        window: WaveWindow | None = None
        """Of the last program: the cycles that are dumped."""

    parameters: Parameters

    def connect_phase(self) -> None:
        """Listen to the memory agent."""
        self._traffic: dict[int, MemoryTraffic] = {}
        heard = AnalysisImplementation("heard", self, lambda record: self._traffic.update([record]))
        self.environment.memory.traffic.connect(heard)

    async def stimulate(self) -> None:
        """Run them all, and hand over what was seen even if the last hangs."""
        if self.parameters.window is not None:
            self.bfm.window = self.parameters.window
        sequence = TracedSequence.create("traced")
        sequence.programs = load_programs(Path(self.parameters.series))
        observed: list[Observation] = []
        self.bfm.listeners.append(lambda _, observation: observed.append(observation))
        try:
            await sequence.start(self.environment.sequencer)
        finally:
            if self.bfm.recorded is not None:
                ended = len(observed) == len(sequence.programs)
                run = TracedRun.of(
                    self.bfm.recorded,
                    observed[-1] if ended else None,
                    self._load_spans(sequence.programs[-1]),
                )
                self.report.payload = run.to_json()

    def _load_spans(self, program: DirectedProgram) -> tuple[int, ...] | None:
        if program.stimulus.response_delays is None:
            return None
        return self._traffic[max(self._traffic)].load_spans()
