"""Measures the whole bench: load, run, read back, model and comparison, on precompiled verifier blocks."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pyuvm
from pydantic import Field

from refmodel.machine.bundle import Bundle
from sequences.bundle_file import load_bundle
from sequences.program_sequence import ProgramSequence
from verif.uvm_tests.base_test import BenchTest


class RepeatSequence(ProgramSequence):
    """Runs bundles over and over."""

    bundles: tuple[Bundle, ...] = ()
    rounds = 1

    async def body(self) -> None:
        """Run every bundle once a round."""
        for number in range(self.rounds):
            for position, bundle in enumerate(self.bundles):
                await self.send(f"round-{number}-{position}", bundle)


@pyuvm.test()
class ThroughputTest(BenchTest):
    """One round runs before the clock starts.

    Payload `cycles` and `seconds` (wall clock) of the measured rounds. Expectations that the bundles carry
    are not compared, since they assume a fresh scratchpad.
    """

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        bundles: tuple[str, ...] = Field(min_length=1)
        """Paths."""
        rounds: Annotated[int, Field(ge=1)]
        """How often each runs."""

    parameters: Parameters

    async def stimulate(self) -> None:
        """Warm up, then measure."""
        sequence = RepeatSequence.create("throughput")
        bundles = (load_bundle(Path(path)) for path in self.parameters.bundles)
        sequence.bundles = tuple(replace(bundle, expect=None) for bundle in bundles)
        await sequence.start(self.environment.sequencer)
        before = self._cycles()
        began = time.perf_counter()
        sequence.rounds = self.parameters.rounds
        await sequence.start(self.environment.sequencer)
        self.report.payload["seconds"] = time.perf_counter() - began
        self.report.payload["cycles"] = self._cycles() - before

    def _cycles(self) -> int:
        """Return the cycles of all programs so far."""
        cycles: int = self.environment.scoreboard.check_counts()["counter_total"][0]
        return cycles
