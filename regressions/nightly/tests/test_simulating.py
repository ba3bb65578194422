"""From what a simulation brings to the status of its job."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from regressions.nightly import simulating
from regressions.nightly.result import JobResult, Status
from regressions.nightly.tests.fakes import job
from verif.qualification.qualify import WHOLE_LIST
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect, Mismatch
from verif.simulation.simulation import (
    KEEP_GOING,
    BrokenSimulationError,
    KilledSimulationError,
    NoSpaceError,
    Simulation,
    SimulationError,
    SimulationTimeout,
)

WRONG = Mismatch("p", Aspect.EXT, "word 3", "1", "2")


def result_of(brought: RunReport | Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JobResult:
    def run_explained(*_: Any, **__: Any) -> RunReport:
        if isinstance(brought, Exception):
            raise brought
        return brought

    monkeypatch.setattr(simulating, "run_explained", run_explained)
    return simulating.simulate(job("a-0"), tmp_path / "1", tmp_path, False)


@pytest.mark.parametrize(
    ("brought", "status", "reason"),
    [
        (RunReport("t", 1, 5), Status.PASSED, ""),
        (RunReport("t"), Status.FAILED, "nothing was compared"),
        (RunReport("t", 1, 5, [WRONG]), Status.FAILED, "p: external memory, word 3: expected 1, found 2"),
        (
            RunReport("t", 1, 5, [WRONG], explanation="the failure could not be explained: no space"),
            Status.FAILED,
            "p: external memory, word 3: expected 1, found 2; the failure could not be explained: no space",
        ),
        (RunReport("t", 1, 5, error_kind="hang", error="it hangs"), Status.FAILED, "it hangs"),
        (RunReport("t", 1, 5, error_kind="input", error="no such file"), Status.CRASHED, "no such file"),
        (RunReport("t", error_kind="internal", error="Traceback\n E: bug"), Status.CRASHED, " E: bug"),
        (SimulationTimeout("t was killed after 9 s; the end"), Status.TIMEOUT, "t was killed after 9 s"),
        (BrokenSimulationError("t broke off: status 139"), Status.CRASHED, "t broke off: status 139"),
        (
            KilledSimulationError("t broke off: status 137; the whole output is in x: y"),
            Status.KILLED,
            "t broke off: status 137",
        ),
        (SimulationError("0 tests of that name ran"), Status.CRASHED, "0 tests of that name ran"),
    ],
)
def test_a_status(
    brought: RunReport | Exception,
    status: Status,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = result_of(brought, tmp_path, monkeypatch)
    assert (result.status, result.reason) == (status, reason)


@pytest.mark.parametrize(
    ("brought", "is_bench_error"),
    [
        (RunReport("t", 1, 5, [WRONG]), False),
        (RunReport("t", 1, 5, error_kind="hang", error="it hangs"), False),
        (RunReport("t", 1, 5, error_kind="input", error="no such file"), True),
        (RunReport("t", error_kind="internal", error="Traceback\n E: bug"), True),
        (BrokenSimulationError("t broke off: status 139"), False),
        (SimulationError("0 tests of that name ran"), True),
    ],
)
def test_an_error_of_bench_or_input_is_marked(
    brought: RunReport | Exception, is_bench_error: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert result_of(brought, tmp_path, monkeypatch).is_bench_error is is_bench_error


@pytest.mark.parametrize(
    ("build", "rtl", "plusargs"),
    [("optimized", None, ()), ("mutants", str(WHOLE_LIST), (KEEP_GOING,))],
)
def test_a_build_decides_the_rtl(
    build: str, rtl: str | None, plusargs: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Simulation] = []

    def run_explained(simulation: Simulation, *_: Any, **__: Any) -> RunReport:
        seen.append(simulation)
        return RunReport("t", 1, 5)

    monkeypatch.setattr(simulating, "run_explained", run_explained)
    simulating.simulate(job("a-0", simulator="verilator", build=build), tmp_path / "1", tmp_path, False)
    (simulation,) = seen
    assert (simulation.rtl, simulation.plusargs) == (rtl, plusargs)


def test_only_what_passed_covers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    covering: list[str] = []
    monkeypatch.setattr(simulating, "keep_coverage", lambda _, run, *__: covering.append(run))
    result_of(RunReport("t", 1, 5, [WRONG]), tmp_path, monkeypatch)
    result_of(RunReport("t"), tmp_path, monkeypatch)
    assert not covering
    result_of(RunReport("t", 1, 5), tmp_path, monkeypatch)
    assert covering == [job("a-0").stimulus]


def test_no_space_is_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoSpaceError):
        result_of(NoSpaceError("there is no space left"), tmp_path, monkeypatch)


def test_what_was_found_is_told_by_a_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Mismatch("p", Aspect.EXT, "word 4", "1", "2")
    reports = [
        RunReport("t", 1, 5),
        RunReport("t", 2, 5),
        RunReport("t", 1, 6),
        RunReport("t", 1, 5, [WRONG]),
        RunReport("t", 1, 5, [WRONG, other]),
        RunReport("t", 1, 5, payload={"stimulus": "abc"}),
    ]
    found = [result_of(report, tmp_path, monkeypatch).found for report in reports]
    assert len(set(found)) == len(found)
    in_another_order = RunReport("t", 1, 5, [other, WRONG], payload={"seconds": 3})
    assert result_of(in_another_order, tmp_path, monkeypatch).found == found[4]
