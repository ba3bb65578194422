"""Shrinks a failing series of programs inside one simulation, where a trial costs milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pyuvm
from pydantic import Field

from refmodel.isa.timing import Unit
from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult
from sequences.directed.directed_program import DirectedProgram
from sequences.program_item import ProgramItem
from sequences.program_list_file import load_programs, save_programs
from verif.bfm.bfm import HangError
from verif.bfm.observation import Observation
from verif.divergence.kind import DivergenceKind
from verif.failure.diagnosis import diagnose
from verif.scoreboard.comparison import Comparison
from verif.scoreboard.expected_run import expected_run
from verif.shrinking.budget import Budget
from verif.shrinking.search import Trials
from verif.shrinking.shrinker import Shrunk, bare, shrink
from verif.shrinking.size import Series, cycles_of
from verif.shrinking.symptom import Symptom
from verif.trace.traced_run import TracedRun
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import one_of

CANDIDATE_PATIENCE, CANDIDATE_GRACE = 2, 300
"""A candidate counts as hung after this many times what it should take, and some cycles more."""

STEPS_KEPT = 17
"""Steps that are handed over: enough to find one that holds, should the last not."""


@pyuvm.test()
class ShrinkTest(BenchTest):
    """Payload: `steps`, how many were written, numbered from 0 for the original, the last being the result;
    `trials`, `cycles`, `complete` as in `Shrunk`; empty if the series does not show here what it shows
    elsewhere, or shows it only once, so that no candidate tells anything. The scoreboard stays out of it:
    candidates fail on purpose.
    """

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        series: str
        """The directory of the programs."""
        steps: str
        """The directory for series that were the smallest so far."""
        kind: Annotated[str, one_of("kind", DivergenceKind.__members__)]
        """This and the two below: what the last program shows."""
        unit: Annotated[str, one_of("unit", Unit.__members__)] | None
        pc: int
        trials: Annotated[int, Field(ge=1)]
        """This and the one below: the budget."""
        cycles: Annotated[int, Field(ge=1)]

    parameters: Parameters

    async def stimulate(self) -> None:
        """Let the search run, and hand over its steps."""
        self.bfm.listeners.clear()  # the scoreboard would take each candidate for a failure
        asked = self.parameters
        series = load_programs(Path(asked.series))
        unit = None if asked.unit is None else Unit[asked.unit]
        symptom = Symptom(DivergenceKind[asked.kind], unit, asked.pc)
        if not symptom.is_like(await self._try(bare(series))):
            return
        budget = Budget(asked.trials, asked.cycles)
        shrunk = await self._search(shrink(series, symptom, budget))
        if len(shrunk.steps) == 1 and not symptom.is_like(await self._try(shrunk.series)):
            return
        steps = _some(shrunk.steps)
        for number, step in enumerate(steps):
            directory = Path(asked.steps) / str(number)
            directory.mkdir(parents=True)
            save_programs(directory, step)
        self.report.payload |= {
            "steps": len(steps),
            "trials": shrunk.trials,
            "cycles": shrunk.cycles,
            "complete": shrunk.complete,
        }

    def check_phase(self) -> None:
        """Count what was tried; what candidates show is no verdict on anything."""
        self.report.programs = self.report.comparisons = 1 + self.report.payload.get("trials", 0)

    async def _search(self, trials: Trials[Shrunk]) -> Shrunk:
        try:
            candidate = next(trials)
            while True:
                candidate = trials.send(await self._try(candidate))
        except StopIteration as end:
            shrunk: Shrunk = end.value
            return shrunk

    async def _try(self, series: Series) -> Symptom | None:
        """Run a candidate from a reset on; return what its last program shows, None if nothing.

        None as well if an earlier program is the one that fails: it is not the same failure then.
        """
        machine, before = Machine(), None
        for program in _from_reset(series)[:-1]:
            expected = expected_run(machine, program.bundle, program.stimulus)
            try:
                found = await self._run(program)
            except HangError:
                return None
            comparison = Comparison(program.name)
            comparison.run(expected, found, strays_expected=program.strays_expected)
            if comparison.mismatches:
                return None
            before = expected.result
        return await self._diagnose(_from_reset(series)[-1], before)

    async def _diagnose(self, program: DirectedProgram, before: RunResult | None) -> Symptom | None:
        try:
            found = await self._run(program, trace=True)
        except HangError:
            found = None
        assert self.bfm.recorded is not None, "a run in trace mode leaves a trace"
        divergence = diagnose(program, before, TracedRun.of(self.bfm.recorded, found)).divergence
        return None if divergence is None else Symptom.of(divergence)

    async def _run(self, program: DirectedProgram, *, trace: bool = False) -> Observation:
        item = ProgramItem(program.name)
        item.set(program.bundle, program.stimulus)
        self.environment.memory.sent.write((self.bfm.next_run, item))
        stimulus = replace(program.stimulus, cycle_limit=_patience(program))
        return await self.bfm.run(program.bundle, stimulus, trace=trace)


def _some(steps: Sequence[Series]) -> list[Series]:
    """Return the first and the last step and, evenly spaced, some in between."""
    last = len(steps) - 1
    pieces = min(last, STEPS_KEPT - 1)
    return [steps[last * number // max(pieces, 1)] for number in range(pieces + 1)]


def _from_reset(series: Sequence[DirectedProgram]) -> list[DirectedProgram]:
    """Return a series that begins with a reset, so that a candidate finds as little as can be of the last."""
    first, *others = series
    return [replace(first, stimulus=replace(first.stimulus, reset_first=True)), *others]


def _patience(program: DirectedProgram) -> int:
    """Return after how many cycles a candidate counts as hung."""
    stimulus = program.stimulus
    last_start = stimulus.extra_start[1] if stimulus.extra_start else 0
    return CANDIDATE_PATIENCE * cycles_of(program) + last_start + stimulus.reset_gap + CANDIDATE_GRACE
