"""The bench's own tests: benches that are broken on purpose, each of which must fail in its own way.

What each must bring is in verif/tests/test_broken_bench.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

import cocotb
import numpy as np
import pyuvm
from cocotb.triggers import Event, Timer
from cocotb.types import LogicArray
from pydantic import ConfigDict, Field
from pyuvm import uvm_factory

from refmodel.isa.instructions import Load
from refmodel.isa.limits import EXT_ADDRESS_WORDS
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
from sequences.directed.directed_program import DirectedProgram, bundle_of
from sequences.directed_sequence import DirectedSequence
from sequences.golden import load_golden
from sequences.misbehaviour import misbehaving_programs, never_ending_program, wrapping_program
from sequences.replay import ReplaySequence
from sequences.stimulus import ResponseDelays, Stimulus
from verif.bfm import harness
from verif.bfm.bfm import HangError, open_scratchpad
from verif.bfm.memory_backdoor import MemoryBackdoor
from verif.bfm.observation import Observation
from verif.memory_agent.agent import MemoryAgent
from verif.memory_agent.traffic import Response
from verif.program_agent.monitor import ProgramMonitor
from verif.uvm_tests import tampering
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import one_of

PROGRAMS = ("load-store", "softmax", "matmul-plain")


def _golden(name: str) -> Bundle:
    """Return a golden program without its expectation, so that the model alone judges."""
    return replace(load_golden(name), expect=None)


class _GoldenTest(BenchTest):
    """Replays three golden programs."""

    async def stimulate(self) -> None:
        """Run them."""
        sequence = ReplaySequence.create("replay")
        sequence.bundles = {name: _golden(name) for name in PROGRAMS}
        await sequence.start(self.environment.sequencer)


class LyingMonitor(ProgramMonitor):
    """Is broken in one way after another, each for three programs, of which it changes the second."""

    tamperings: Sequence[tampering.Tampering] = ()

    def publish(self, run: int, observation: Observation) -> None:
        """Pass on what is left of it."""
        number, place = divmod(run - 1, len(PROGRAMS))
        tamper = self.tamperings[number] if place == 1 else tampering.intact
        for each in tamper(run, observation):
            super().publish(*each)


@pyuvm.test()
class TamperedTest(_GoldenTest):
    """A monitor that lies."""

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        tamperings: tuple[Annotated[str, one_of("tampering", tampering.TAMPERINGS)], ...] = Field(
            min_length=1
        )
        """Functions of verif/uvm_tests/tampering.py, in turn."""

    parameters: Parameters

    def build_phase(self) -> None:
        """Replace the monitor before anything is made."""
        super().build_phase()
        LyingMonitor.tamperings = [tampering.TAMPERINGS[name] for name in self.parameters.tamperings]
        uvm_factory().set_type_override_by_type(ProgramMonitor, LyingMonitor)

    async def stimulate(self) -> None:
        """Run the programs once for each."""
        for _ in self.parameters.tamperings:
            await super().stimulate()


@pyuvm.test()
class TamperedAfterResetTest(TamperedTest):
    """A monitor that lies about a program which rst cuts in its last cycle, and which then runs again."""

    async def stimulate(self) -> None:
        """Run the programs, the second with rst and another start."""
        sequence = DirectedSequence.create("cut")
        sequence.programs = [DirectedProgram(name, _golden(name)) for name in PROGRAMS]
        cut = sequence.programs[1]
        last = decode_program(cut.bundle.code, cut.bundle.read_latency).counters.cyc_total
        sequence.programs[1] = replace(
            cut, stimulus=Stimulus(reset_cycle=last, extra_start=(last + 1, last + 1))
        )
        await sequence.start(self.environment.sequencer)


class DeafMonitor(ProgramMonitor):
    """Loses every result."""

    def publish(self, run: int, observation: Observation) -> None:
        """Pass on nothing."""


@pyuvm.test()
class LosingAllTest(_GoldenTest):
    """Nothing is ever compared."""

    def build_phase(self) -> None:
        """Replace the monitor before anything is made."""
        super().build_phase()
        uvm_factory().set_type_override_by_type(ProgramMonitor, DeafMonitor)


@pyuvm.test()
class EmptyRunTest(BenchTest):
    """Sends nothing, whatever its parameters; tests of the runner name it in jobs that do not simulate."""

    class Parameters(BenchTest.Parameters):
        """Anything."""

        model_config = ConfigDict(extra="allow")

    async def stimulate(self) -> None:
        """Do nothing."""


@pyuvm.test()
class SimulatedFaultTest(_GoldenTest):
    """Changes a word of simulated memory while a program runs."""

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        memory: Literal["external", "scratchpad"]

    parameters: Parameters

    async def stimulate(self) -> None:
        """Run the programs with the culprit beside them."""
        cocotb.start_soon(self._spoil())
        await super().stimulate()

    async def _spoil(self) -> None:
        """Write one word in the middle of the first program."""
        await Timer(60 * harness.CLOCK_PERIOD_NS, "ns")
        external = self.parameters.memory == "external"
        memory = MemoryBackdoor.array(harness.EXT, EXT_ADDRESS_WORDS) if external else open_scratchpad()
        words, _ = memory.read()
        words[4000] ^= 1
        memory.write(words)


@pyuvm.test()
class SimulatedUnknownTest(_GoldenTest):
    """Puts an X into one word of external memory while a program runs; Verilator makes some value of it."""

    async def stimulate(self) -> None:
        """Run the programs with the culprit beside them."""
        cocotb.start_soon(self._spoil())
        await super().stimulate()

    async def _spoil(self) -> None:
        """Write the word when the first program has read it."""
        await Timer(60 * harness.CLOCK_PERIOD_NS, "ns")
        harness_top: Any = cocotb.top
        harness_top.u_memory.words[3].value = LogicArray("X" * 32)


@pyuvm.test()
class HangTest(BenchTest):
    """A program that outlives the watchdog."""

    async def stimulate(self) -> None:
        """Run it, with a good one before."""
        sequence = DirectedSequence.create("hang")
        good, slow = _golden("load-store"), _golden("softmax")
        sequence.programs = [
            DirectedProgram("good", good),
            DirectedProgram("slow", slow, Stimulus(cycle_limit=200)),
        ]
        await sequence.start(self.environment.sequencer)


@pyuvm.test()
class HangThenGoodTest(_GoldenTest):
    """Good programs right after one that outlives the watchdog."""

    async def stimulate(self) -> None:
        """Let one hang behind the scoreboard's back."""
        with contextlib.suppress(HangError):
            await self.bfm.run(_golden("softmax"), Stimulus(cycle_limit=200))
        await super().stimulate()


@pyuvm.test()
class BackgroundErrorTest(_GoldenTest):
    """A background task fails while everything else is fine."""

    async def stimulate(self) -> None:
        """Run the programs with a failing task beside them."""
        cocotb.start_soon(self._fail())
        await super().stimulate()

    async def _fail(self) -> None:
        await Timer(60 * harness.CLOCK_PERIOD_NS, "ns")
        raise RuntimeError("a background task that fails")


@pyuvm.test()
class LateErrorTest(_GoldenTest):
    """Fails when the report, a good one, has been written."""

    def final_phase(self) -> None:
        """Report, then fail."""
        super().final_phase()
        raise RuntimeError("a failure after the report")


@pyuvm.test()
class KilledTest(BenchTest):
    """The process dies."""

    async def stimulate(self) -> None:
        """Kill it."""
        os.kill(os.getpid(), signal.SIGKILL)


@pyuvm.test()
class EndlessTest(BenchTest):
    """Waits for what never comes, while the clock runs on."""

    async def stimulate(self) -> None:
        """Wait."""
        await Event().wait()


@pyuvm.test()
class SleepingTest(_GoldenTest):
    """Uses no CPU time for a while, as on a machine that is busy with other things."""

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        seconds: float

    parameters: Parameters

    async def stimulate(self) -> None:
        """Sleep, then run the programs."""
        time.sleep(self.parameters.seconds)
        await super().stimulate()


@pyuvm.test()
class CancelledTest(_GoldenTest):
    """The stimulus is cancelled, as where it waits for a task that was."""

    async def stimulate(self) -> None:
        """Run the programs, then end by an exception that does not derive from Exception."""
        await super().stimulate()
        raise asyncio.CancelledError("a stimulus that is cancelled")


@pyuvm.test()
class MisbehavingChipTest(BenchTest):
    """Runs on hdl/tb/misbehaving: a chip that breaks one rule after another."""

    async def stimulate(self) -> None:
        """Break them all, the last being that a program ends."""
        sequence = DirectedSequence.create("rules")
        sequence.programs = [*misbehaving_programs(), never_ending_program()]
        await sequence.start(self.environment.sequencer)


@pyuvm.test()
class MisbehavingWrapTest(BenchTest):
    """Runs on that chip too, through all of the program memory."""

    async def stimulate(self) -> None:
        """Let it wrap the pc in its own way."""
        sequence = DirectedSequence.create("wrap")
        sequence.programs = [wrapping_program()]
        await sequence.start(self.environment.sequencer)


class StrayResponseAgent(MemoryAgent):
    """A memory agent that answers a request that nobody made."""

    def _on_response(self, response: Response) -> None:
        """Answer again after the first."""
        super()._on_response(response)
        if len(self._record.responses) == 1:
            self._driver.append(Response(response.cycle + 1, 0))


@pyuvm.test()
class StrayResponseTest(BenchTest):
    """One response too many."""

    def build_phase(self) -> None:
        """Replace the agent before anything is made."""
        uvm_factory().set_type_override_by_type(MemoryAgent, StrayResponseAgent)
        super().build_phase()

    async def stimulate(self) -> None:
        """Load one word."""
        sequence = DirectedSequence.create("stray")
        bundle = bundle_of([Load(0, 0, 1)], ext=np.ones(4, np.uint32))
        delays = Stimulus(response_delays=ResponseDelays(seed=1, longest=1))
        sequence.programs = [DirectedProgram("one-load", bundle, delays)]
        await sequence.start(self.environment.sequencer)
