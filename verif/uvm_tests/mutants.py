"""Tries one mutant of the RTL after another in one simulation: which of them do short programs kill?"""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
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
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.change import Operator
from verif.qualification.generated.proving import proved_equivalent
from verif.qualification.generated.selection import all_mutants, sampled
from verif.qualification.generated.trial import Fate, Trial
from verif.qualification.generated.unkilled import Unkilled, load_unkilled, problem_of
from verif.qualification.mutated_rtl import NONE_AWAKE, SELECTOR
from verif.qualification.qualify import numbers
from verif.scoreboard.verdict import Aspect, Mismatch
from verif.uvm_tests.base_test import BenchTest, MismatchFound
from verif.uvm_tests.parameters import DataSeed, one_of


class _MutantTrials(BenchTest):
    """Random and directed programs for each mutant until one of them fails.

    With no mutant awake all programs must pass first, and after each mutant a program must pass that resets
    the chip and fills its scratchpad: so nothing of a mutant reaches the next, and what killed it is no fault
    of the bench. If one of these fails, so does the test, and nothing follows.

    Payload `mutants`: for each mutant its fate (`killed`, `survived` or `error`), the program that decided it
    and the first thing that was wrong.
    """

    class Parameters(BenchTest.Parameters):
        """What both take."""

        program_seed: DataSeed = 1
        """Of the programs' data. It stays: a mutant that one seed kills may survive another."""
        random_programs: Annotated[int, Field(ge=0)] = 40
        groups: tuple[Annotated[str, one_of("group", GROUPS)], ...] = tuple(GROUPS)
        """Of directed programs, behind the random ones."""

    parameters: Parameters

    counts_for_coverage = False

    async def try_all(self, mutants: Mapping[str, int]) -> dict[str, tuple[str, str, str]]:
        """Run the control, then try each of some mutants, given with the numbers that select them."""
        self._selector = MemoryBackdoor.signals([f"{harness.TOP}.dut.{SELECTOR}"])
        self.bfm.listeners.append(self._stop_at_mismatch)
        seed = self.parameters.program_seed
        programs = [
            *_random_programs(seed, self.parameters.random_programs),
            *(program for name in self.parameters.groups for program in GROUPS[name](seed)),
        ]
        generator = np.random.default_rng(seed)
        cleaning = DirectedProgram("cleaning", tour(generator), Stimulus(reset_first=True))
        self._select(NONE_AWAKE)
        await self._run([cleaning, *programs, cleaning])
        fates = self.report.payload["mutants"] = {}
        for name, number in mutants.items():
            self._select(number)
            fates[name] = await self._fate(programs)
            self._select(NONE_AWAKE)
            # A chip that hung, or writes while it is halted, goes on until the reset and may spoil the
            # memory that was loaded for the program behind it. So that one is not judged.
            await self._fate([cleaning])
            await self._run([cleaning])
        return fates

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


@pyuvm.test()
class MutantsTest(_MutantTrials):
    """Tries the mutants that it is given; their fates are for the caller to judge."""

    class Parameters(_MutantTrials.Parameters):
        """What it takes."""

        mutants: dict[str, Annotated[int, Field(ge=1, lt=NONE_AWAKE)]] = Field(min_length=1)
        """The number that selects each (`mutated_rtl.mutant_numbers`)."""

    parameters: Parameters

    async def stimulate(self) -> None:
        """Try each mutant."""
        await self.try_all(self.parameters.mutants)


@pyuvm.test()
class MutantSampleTest(_MutantTrials):
    """Tries generated mutants that a seed draws, in the copy of the RTL that holds all of them.

    Each must be killed, proved to be equivalent, or listed as one that nothing kills; any other fails the
    test by its name. Dropped resets are not drawn: X alone shows them.
    """

    class Parameters(_MutantTrials.Parameters):
        """What it takes."""

        seed: DataSeed
        """Of the draw."""
        count: Annotated[int, Field(ge=1)]
        """Of mutants."""

    parameters: Parameters

    async def stimulate(self) -> None:
        """Draw the mutants, try and judge them."""
        unkilled, number_of = load_unkilled(), numbers(whole=True)
        mutants = [mutant for mutant in all_mutants() if mutant.operator is not Operator.RESET]
        drawn = sampled(mutants, self.parameters.count, self.parameters.seed)
        fates = await self.try_all({mutant.name: number_of[mutant.name] for mutant in drawn})
        for mutant in drawn:
            self._judge(mutant, fates[mutant.name], unkilled)

    def _judge(
        self, mutant: GeneratedMutant, found: tuple[str, str, str], unkilled: Mapping[str, Unkilled]
    ) -> None:
        fate, by, detail = Fate[found[0].upper()], *found[1:]
        if fate is Fate.SURVIVED and proved_equivalent(mutant):
            fate, by = Fate.PROVED, "solver"
        if problem_of(Trial(mutant, "verilator", fate, by, detail), unkilled):
            expected = "as listed in unkilled.toml" if mutant.name in unkilled else Fate.KILLED.value
            what = f"{fate.value} by {by}: {detail}" if by else fate.value
            place = f"{mutant.file}:{mutant.line}, {mutant.what}"
            self.report.mismatches.append(Mismatch(mutant.name, Aspect.MUTANT, place, expected, what))


def _random_programs(seed: int, count: int) -> list[DirectedProgram]:
    programs = random_programs(seed, range(count), load_weights(SHORT_WEIGHTS))
    return [DirectedProgram(each.name, each.bundle(), each.stimulus) for each in programs]


def _last_lines() -> str:
    return "".join(traceback.format_exc(limit=-2))
