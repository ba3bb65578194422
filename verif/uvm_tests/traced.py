"""Runs a series of programs again, the last of them in trace mode."""

from __future__ import annotations

from pathlib import Path

import pyuvm

from sequences.program_list_file import load_programs
from sequences.traced_sequence import TracedSequence
from verif.bfm.observation import Observation
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
                )
                self.report.payload = run.to_json()
