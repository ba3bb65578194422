"""Runs a series of programs again, the last of them in trace mode."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pyuvm

from refmodel.machine.result import Counters
from sequences.directed.directed_program import DirectedProgram
from sequences.program_list_file import load_programs
from sequences.traced_sequence import TracedSequence
from verif import harness
from verif.analysis import AnalysisImplementation
from verif.memory_agent.traffic import MemoryTraffic
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class TracedTest(BenchTest):
    """Parameter `series`: directory of a series of programs (sequences/program_list_file.py).

    Payload: `trace`, the last program's `RecordedTrace` as JSON; `counters` of the chip after it, null if it
    did not halt; `load_spans`, null unless a bus driver answered its reads. All three are missing if an
    earlier program kept the last from running.
    """

    def connect_phase(self) -> None:
        """Listen to the memory agent."""
        self._traffic: dict[int, MemoryTraffic] = {}
        heard = AnalysisImplementation("heard", self, lambda record: self._traffic.update([record]))
        self.environment.memory.traffic.connect(heard)

    async def stimulate(self) -> None:
        """Run them all, and hand over the trace even if the last hangs."""
        sequence = TracedSequence.create("traced")
        sequence.programs = load_programs(Path(self.parameters["series"]))
        try:
            await sequence.start(self.environment.sequencer)
        finally:
            if self.bfm.recorded is not None:
                self.report.payload |= {
                    "trace": self.bfm.recorded.to_json(),
                    "counters": self._counters(),
                    "load_spans": self._load_spans(sequence.programs[-1]),
                }

    def _counters(self) -> dict[str, int] | None:
        """Return the chip's counters; None while it runs, or if one of them is unknown."""
        outputs = [getattr(self.bfm.top, name).value for name in harness.OUTPUTS]
        if not all(output.is_resolvable for output in outputs) or not int(outputs[0]):
            return None
        named = dict(zip(harness.OUTPUTS, map(int, outputs), strict=True))
        return {field.name: named[field.name] for field in fields(Counters)}

    def _load_spans(self, program: DirectedProgram) -> list[int] | None:
        if program.stimulus.response_delays is None:
            return None
        return list(self._traffic[max(self._traffic)].load_spans())
