"""Makes a failing series small: inside one simulation first, then, as far as need be, in fresh ones.

Inside one simulation a trial takes milliseconds, but a candidate may find the chip in a state that it would
not find after power-up. So nothing counts until it has failed in a simulation of its own. Where the result of
the many trials does not, the last of its forerunners that does is searched for; and what is still large then
is shrunk by a few trials in simulations of their own.
"""

from __future__ import annotations

import shutil
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from refmodel.isa.encoding import decode
from refmodel.isa.instructions import Halt
from refmodel.machine.disassembler import disassemble_word
from sequences.directed.directed_program import DirectedProgram
from sequences.program_list_file import load_programs, save_programs
from sequences.stimulus import PLAIN
from verif.failure.fresh_runs import FRESH_RUNS, FreshRuns, symptom_of
from verif.failure.rerun import Rerun
from verif.shrinking.budget import Budget
from verif.shrinking.shrinker import bare
from verif.shrinking.size import Series, cycles_of
from verif.shrinking.symptom import Symptom
from verif.simulation.simulation import BrokenSimulationError, Simulation, SimulationTimeout

BUDGET = Budget(trials=200, cycles=250_000)
"""What the trials inside one simulation may take together."""

NOTHING_SMALLER = "it is not shrunk: nothing smaller that was tried fails like that"

LONGEST_TEXT = 160
"""Characters that a sentence gives to the instructions."""


class NotShrunk(Ga2Error):  # noqa: N818 -- says what became of it, as UninitializedRead does
    """A failure stays as large as it is; the message says why."""


@dataclass(frozen=True, eq=False)
class Shrinking:
    """A failure and a smaller one of the same kind in the same unit."""

    original: Rerun
    found: Rerun
    """The smaller series, in a simulation of its own."""
    trials: int
    """Candidates that ran, wherever."""
    complete: bool
    """False: not everything was tried, or not all that came of it holds in a simulation of its own."""

    def to_json(self) -> dict[str, Any]:
        """Return what is to be known of it as JSON values."""
        return {
            "programs": len(self.found.series),
            "instructions": instructions_of(self.found.series),
            "cycles": sum(map(cycles_of, self.found.series)),
            "original_programs": len(self.original.series),
            "original_instructions": instructions_of(self.original.series),
            "original_cycles": sum(map(cycles_of, self.original.series)),
            "trials": self.trials,
            "complete": self.complete,
            "budget": {"trials": BUDGET.trials, "cycles": BUDGET.cycles, "fresh_runs": FRESH_RUNS},
        }

    def __str__(self) -> str:
        """Say what is left, in a sentence; long programs are not told in full."""
        series = self.found.series
        programs = f" in {len(series)} programs" if len(series) > 1 else ""
        text = textwrap.shorten(", then ".join(map(_text, series)), LONGEST_TEXT, placeholder=" …")
        return f"shrunk to {_counted(instructions_of(series))}{programs}: {text}{self._budget_text()}"

    @property
    def origin(self) -> str:
        """Say what it comes from and what that took, in a sentence."""
        series = self.original.series
        programs = f" in {len(series)} programs" if len(series) > 1 else ""
        cycles = sum(map(cycles_of, series))
        size = f"{_counted(instructions_of(series))}{programs}, {cycles} cycles"
        return f"{size}, in {self.trials} trials{self._budget_text()}"

    @property
    def lost_source_map(self) -> str | None:
        """Say where in the graph the original fails, in a sentence; None if it came from no graph.

        What is left has no map: cut down and moved, its instructions work on no tensors any more.
        """
        assert self.original.diagnosis is not None
        divergence = self.original.diagnosis.divergence
        if divergence is None or divergence.source is None:
            return None
        tensor = "" if divergence.tensor is None else f", {divergence.tensor}"
        return (
            "none: what is left is no part of the graph any more; the original fails at "
            f"{divergence.opcode} #{divergence.pc}, {divergence.source}{tensor}"
        )

    def _budget_text(self) -> str:
        if self.complete:
            return ""
        limits = f"{BUDGET.trials} trials, {BUDGET.cycles} cycles, {FRESH_RUNS} runs in fresh simulations"
        return f" (perhaps not the smallest: the search has a budget of {limits})"


def shrink_failure(simulation: Simulation, original: Rerun, directory: Path) -> Shrinking:
    """Shrink what failed in a simulation with these settings; `directory` is for further simulations.

    Raises NotShrunk when nothing smaller fails like that, Ga2Error when the bench cannot try.
    """
    symptom = symptom_of(original)
    if symptom is None:
        raise NotShrunk(
            "it is not shrunk: no event, word or rule of its last program is the first that differs"
        )
    fresh = FreshRuns(simulation, symptom, directory, original, BUDGET.cycles)
    steps, trials, complete = _inside_one(simulation, original.series, symptom, directory / "trials")
    if len(steps) == 1:
        raise NotShrunk(NOTHING_SMALLER)
    fresh.verify(steps)
    if not steps or fresh.best.series != steps[-1]:
        trials += fresh.shrink()
        complete = False
    if fresh.best is original:
        raise NotShrunk(NOTHING_SMALLER)
    return Shrinking(original, fresh.best, trials, complete)


def instructions_of(series: Series) -> int:
    """Return the number of instruction words in a series, the HALTs at the ends of programs left out."""
    return sum(len(_without_halt(program)) for program in series)


def _without_halt(program: DirectedProgram) -> tuple[int, ...]:
    code = program.bundle.code
    return code[:-1] if code and isinstance(decode(code[-1]), Halt) else code


def _text(program: DirectedProgram) -> str:
    """Return a program and what happens around it on one line."""
    instructions = "; ".join(map(disassemble_word, _without_halt(program) or program.bundle.code))
    stimulus = {name: value for name, value in vars(program.stimulus).items() if value != vars(PLAIN)[name]}
    around = ", ".join(f"{name} {value}" for name, value in stimulus.items())
    return f"{instructions} ({around})" if around else instructions


def _counted(instructions: int) -> str:
    return f"{instructions} {'instruction' if instructions == 1 else 'instructions'}"


def _inside_one(
    simulation: Simulation, series: Series, symptom: Symptom, directory: Path
) -> tuple[list[Series], int, bool]:
    """Shrink inside one simulation; return the steps, the number of trials and whether all was tried.

    A simulation that does not live through it, or in which the failure does not show whenever the series
    runs, brings no step at all. Raises Ga2Error when the search itself fails or has no room, say.
    """
    shutil.rmtree(directory, ignore_errors=True)
    programs, steps = directory / "series", directory / "steps"
    programs.mkdir(parents=True)
    save_programs(programs, bare(series))
    try:
        report = replace(
            simulation,
            test="shrink.ShrinkTest",
            run_directory=directory / "run",
            parameters={
                "series": str(programs.resolve()),
                "steps": str(steps.resolve()),
                "kind": symptom.kind.name,
                "unit": symptom.unit.name if symptom.unit else None,
                "pc": symptom.pc,
                "trials": BUDGET.trials,
                "cycles": BUDGET.cycles,
            },
            waves=None,
            coverage=False,
            code_coverage=False,
        ).run()
    except (BrokenSimulationError, SimulationTimeout):
        return [], 0, False
    if report.error_kind in ("internal", "input"):
        raise Ga2Error(f"the search failed: {report.error.strip().rpartition(chr(10))[2]}")
    payload = report.payload
    found = [load_programs(steps / str(number)) for number in range(payload.get("steps", 0))]
    return found, payload.get("trials", 0), payload.get("complete", False)
