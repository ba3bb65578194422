"""Tries one mutant of the RTL after another in one simulation: which of them do short programs kill?"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Annotated

import numpy as np
import pyuvm
from pydantic import Field

from refmodel.errors import Ga2Error
from sequences.directed import GROUPS
from sequences.directed.directed_program import DirectedProgram, tour
from sequences.directed_sequence import DirectedSequence
from sequences.random_programs import load_weights, random_programs
from sequences.random_programs.weights import SHORT_WEIGHTS
from sequences.stimulus import Stimulus
from verif.bfm import harness
from verif.bfm.bfm import HangError
from verif.bfm.memory_backdoor import MemoryBackdoor
from verif.qualification.mutated_rtl import NONE_AWAKE, SELECTOR
from verif.scoreboard.verdict import Mismatch
from verif.uvm_tests.base_test import BenchTest, MismatchFound
from verif.uvm_tests.parameters import DataSeed, one_of


@pyuvm.test()
class MutantsTest(BenchTest):
    """Random and directed programs for each mutant until one of them fails.

    With no mutant awake all programs must pass first, and after each mutant a program must pass that resets
    the chip and fills its scratchpad: so nothing of a mutant reaches the next, and what killed it is no fault
    of the bench. If one of these fails, so does the test, and nothing follows.

    Payload `mutants`: for each mutant its fate (`killed`, `survived` or `error`), the program that decided it
    and the first thing that was wrong.
    """

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        seed: DataSeed
        mutants: dict[str, Annotated[int, Field(ge=1, lt=NONE_AWAKE)]] = Field(min_length=1)
        """The number that selects each (`mutated_rtl.mutant_numbers`)."""
        random_programs: Annotated[int, Field(ge=0)] = 40
        groups: tuple[Annotated[str, one_of("group", GROUPS)], ...] = tuple(GROUPS)
        """Of directed programs, behind the random ones."""

    parameters: Parameters

    counts_for_coverage = False

    async def stimulate(self) -> None:
        """Run the control, then try each mutant."""
        self._selector = MemoryBackdoor.signals([f"{harness.TOP}.dut.{SELECTOR}"])
        self.bfm.listeners.append(self._stop_at_mismatch)
        seed = self.parameters.seed
        programs = [
            *_random_programs(seed, self.parameters.random_programs),
            *(program for name in self.parameters.groups for program in GROUPS[name](seed)),
        ]
        generator = np.random.default_rng(seed)
        cleaning = DirectedProgram("cleaning", tour(generator), Stimulus(reset_first=True))
        self._select(NONE_AWAKE)
        await self._run([cleaning, *programs, cleaning])
        fates = self.report.payload["mutants"] = {}
        for name, number in self.parameters.mutants.items():
            self._select(number)
            fates[name] = await self._fate(programs)
            self._select(NONE_AWAKE)
            # A chip that hung, or writes while it is halted, goes on until the reset and may spoil the
            # memory that was loaded for the program behind it. So that one is not judged.
            await self._fate([cleaning])
            await self._run([cleaning])

    async def _fate(self, programs: Sequence[DirectedProgram]) -> tuple[str, str, str]:
        """Run programs while a mutant is awake, and forget what was wrong."""
        try:
            await self._run(programs)
        except MismatchFound:
            first = self._forget()[0]
            return "killed", first.program, str(first)
        except HangError as error:
            self._forget()
            return "killed", "watchdog", str(error)
        except Exception as error:  # the bench itself broke over what the mutant did
            self._forget()
            return "error", type(error).__name__, str(error) if isinstance(error, Ga2Error) else _last_lines()
        return "survived", "", ""

    async def _run(self, programs: Sequence[DirectedProgram]) -> None:
        sequence = DirectedSequence.create("programs")
        sequence.programs = programs
        await sequence.start(self.environment.sequencer)

    def _forget(self) -> list[Mismatch]:
        forgotten: list[Mismatch] = self.environment.scoreboard.begin_anew()
        return forgotten

    def _select(self, number: int) -> None:
        self._selector.write(np.array([number], np.uint32))


def _random_programs(seed: int, count: int) -> list[DirectedProgram]:
    programs = random_programs(seed, range(count), load_weights(SHORT_WEIGHTS))
    return [DirectedProgram(each.name, each.bundle(), each.stimulus) for each in programs]


def _last_lines() -> str:
    return "".join(traceback.format_exc(limit=-2))
