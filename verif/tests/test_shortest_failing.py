"""The search for the shortest series of programs that makes the last one fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from refmodel.isa.instructions import Load
from refmodel.machine.tests.helpers import program
from sequences.directed.directed_program import DirectedProgram
from verif.failure import rerun as module
from verif.failure.diagnosis import Diagnosis
from verif.failure.rerun import Rerun, shortest_failing
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect, Mismatch
from verif.simulation.simulation import Simulation

SERIES = [DirectedProgram(f"p{number}", program(Load(0, 0, 1), ext=[number])) for number in range(32)]


@pytest.mark.parametrize("needed", [1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 31, 32])
def test_the_shortest_series_is_found(needed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tried: list[int] = []

    def rerun(_: Simulation, series: Sequence[DirectedProgram], __: Path) -> Rerun:
        tried.append(len(series))
        report = RunReport("TracedTest")
        if len(series) >= needed:
            report.mismatches.append(Mismatch(series[-1].name, Aspect.EXT, "word 0", "0", "1"))
        return replace(NOTHING, series=tuple(series), report=report)

    monkeypatch.setattr(module, "rerun", rerun)
    found = shortest_failing(Simulation("icarus", "any.Test", tmp_path), SERIES, tmp_path)
    assert [each.name for each in found.series] == [each.name for each in SERIES[-needed:]]
    assert found.fails
    assert len(tried) <= 11


def test_a_failure_that_does_not_come_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "rerun", lambda _, series, __: replace(NOTHING, series=tuple(series)))
    found = shortest_failing(Simulation("icarus", "any.Test", tmp_path), SERIES[:3], tmp_path)
    assert not found.fails
    assert len(found.series) == 3


@pytest.mark.parametrize(
    ("report", "fails"),
    [
        (RunReport("T"), False),
        (RunReport("T", mismatches=[Mismatch("p1", Aspect.EXT, "word 0", "0", "1")]), True),
        (RunReport("T", mismatches=[Mismatch("p0", Aspect.EXT, "word 0", "0", "1")]), False),
        (RunReport("T", error_kind="hang"), True),
    ],
    ids=["nothing", "mismatch", "mismatch-before", "hang"],
)
def test_only_the_last_program_counts(report: RunReport, fails: bool) -> None:
    assert replace(NOTHING, series=tuple(SERIES[:2]), report=report).fails == fails


NOTHING = Rerun((), RunReport("TracedTest"), None, Diagnosis(None))
