"""What the trials inside one simulation bring counts only when it fails in a fresh one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from refmodel.isa.instructions import Instruction, Load
from refmodel.machine.tests.helpers import program
from refmodel.machine.trace import trace_program
from sequences.directed.directed_program import DirectedProgram
from verif.divergence.search import find_divergence
from verif.failure.diagnosis import Diagnosis
from verif.failure.fresh_runs import FRESH_RUNS
from verif.failure.rerun import Rerun
from verif.failure.shrinking import NotShrunk, instructions_of, shrink_failure
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect, Mismatch
from verif.shrinking.size import Series
from verif.simulation.simulation import BrokenSimulationError, Simulation, SimulationError

ORIGINAL = 16
"""Instructions of the program that fails."""


def series_of(count: int) -> Series:
    loads: list[Instruction] = [Load(0, 0, 1)] * count
    return (DirectedProgram("loads", program(*loads, scratchpad=[])),)


def hanging(series: Sequence[DirectedProgram]) -> Rerun:
    divergence = find_divergence(trace_program(series[-1].bundle), [])
    return Rerun(tuple(series), RunReport("TracedTest"), None, Diagnosis(divergence))


Shrink = Callable[[list[Series], Callable[[int], bool]], int]


@pytest.fixture
def shrink(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shrink:
    """Return a function that shrinks, given the steps from inside and what holds; it returns what is left."""

    def run(steps: list[Series], holds: Callable[[int], bool]) -> int:
        tried: list[Series] = []

        def rerun(_: Simulation, series: Series, __: Path) -> Rerun:
            tried.append(series)
            if not holds(instructions_of(series)):
                raise BrokenSimulationError("an assertion of the chip's")
            return hanging(series)

        monkeypatch.setattr("verif.failure.fresh_runs.rerun", rerun)
        monkeypatch.setattr("verif.failure.shrinking._inside_one", lambda *_: (steps, 50, True))
        simulation = Simulation("icarus", "any.Test", tmp_path)
        found = shrink_failure(simulation, hanging(series_of(ORIGINAL)), tmp_path)
        assert len(tried) <= FRESH_RUNS
        assert found.found.series in tried
        assert found.complete == (found.found.series == steps[-1] if steps else False)
        return instructions_of(found.found.series)

    return run


STEPS = [series_of(count) for count in range(ORIGINAL, 0, -1)]


def test_what_holds_is_taken(shrink: Shrink) -> None:
    assert shrink(STEPS, lambda _: True) == 1


@pytest.mark.parametrize("fewest", [2, 3, 5, 8, 9, 14])
def test_else_the_last_step_that_holds(shrink: Shrink, fewest: int) -> None:
    assert shrink(STEPS, lambda count: count >= fewest) == fewest


def test_without_steps_the_fresh_runs_are_used(shrink: Shrink) -> None:
    assert shrink([], lambda _: True) == 1


def test_what_is_smallest_already_costs_no_fresh_run(shrink: Shrink) -> None:
    def starts_one(_: int) -> bool:
        raise AssertionError("a simulation was started")

    with pytest.raises(NotShrunk, match="nothing smaller that was tried fails like that"):
        shrink(STEPS[:1], starts_one)


def test_nothing_holds(shrink: Shrink) -> None:
    for steps in (STEPS, []):
        with pytest.raises(NotShrunk, match="nothing smaller that was tried fails like that"):
            shrink(steps, lambda _: False)


def test_a_trial_that_has_no_room_is_no_answer(shrink: Shrink) -> None:
    def full(_: int) -> bool:
        raise SimulationError("there is no space left")

    for steps in (STEPS, []):
        with pytest.raises(SimulationError, match="no space left"):
            shrink(steps, full)


def test_a_search_that_has_no_room_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(_: Simulation) -> RunReport:
        raise SimulationError("there is no space left")

    monkeypatch.setattr(Simulation, "run", full)
    with pytest.raises(SimulationError, match="no space left"):
        shrink_failure(Simulation("icarus", "any.Test", tmp_path), hanging(series_of(2)), tmp_path)


def test_a_search_that_breaks_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = RunReport("ShrinkTest", error_kind="internal", error="Traceback …\nKeyError: 'a mistake'\n")
    monkeypatch.setattr(Simulation, "run", lambda _: broken)
    with pytest.raises(Ga2Error, match=r"^the search failed: KeyError: 'a mistake'$"):
        shrink_failure(Simulation("icarus", "any.Test", tmp_path), hanging(series_of(2)), tmp_path)


def test_another_program_fails_first(tmp_path: Path) -> None:
    first = DirectedProgram("first", program())
    found = hanging([first, *series_of(3)])
    found.report.mismatches.append(Mismatch("first", Aspect.EXT, "word 0", "0", "1"))
    with pytest.raises(NotShrunk, match="of its last program is the first that differs"):
        shrink_failure(Simulation("icarus", "any.Test", tmp_path), found, tmp_path)
