"""Which initial states agree, and which cannot be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from regressions.exit_status import ExitStatus
from regressions.nightly.initial_states import Sweep, compare_initial_states
from regressions.nightly.job import NightJob
from regressions.nightly.result import JobResult, Status
from regressions.nightly.tests.fakes import job
from regressions.nightly.tests.nights import begun, run, shown, summary

Run = tuple[NightJob, JobResult | None]


def ran(name: str, found: str, status: Status = Status.PASSED, **fields: Any) -> Run:
    made = job(name, **{"build": "x-random", "stimulus": "x", **fields})
    return made, JobResult(made, status, found=found, reason="word 3" if status is Status.FAILED else "")


def swept(do: str = "pass", **more: Any) -> list[NightJob]:
    return [job(f"x-{number}", do, build="x-random", stimulus="x", **more) for number in range(3)]


def test_initial_states_that_agree_are_no_finding() -> None:
    assert compare_initial_states([ran("a", "p"), ran("b", "p"), ran("c", "p")]) == Sweep(1)
    both_fail_alike = [ran("a", "f", Status.FAILED), ran("b", "f", Status.FAILED)]
    assert compare_initial_states(both_fail_alike) == Sweep(1)


def test_any_difference_between_initial_states_is_a_finding() -> None:
    (found,) = compare_initial_states([ran("a", "f", Status.FAILED), ran("b", "p"), ran("c", "p")]).dependent
    assert str(found) == "x depends on its initial state: a (word 3); otherwise b, c (passed)"
    assert compare_initial_states([ran("a", "p"), ran("b", "q")]).dependent


def test_other_builds_are_no_sweep() -> None:
    runs = [ran("a", "p", build="optimized"), ran("b", "q", build="optimized")]
    assert compare_initial_states(runs) == Sweep()


@pytest.mark.parametrize(
    ("runs", "told", "intended"),
    [
        ([ran("a", "p")], "a alone was to run", True),
        ([ran(name, "", Status.SKIPPED, skip="broken") for name in "ab"], "skipped: broken", True),
        (
            [ran("a", "p"), ran("b", "", Status.TIMEOUT), (ran("c", "")[0], None)],
            "too few runs brought a report (b: timeout, c: no result)",
            False,
        ),
        (
            [ran("a", "", Status.CRASHED), ran("b", "", Status.FLAKY)],
            "too few runs brought a report (a: crashed, b: flaky)",
            False,
        ),
    ],
)
def test_what_cannot_be_compared_is_told(runs: list[Run], told: str, intended: bool) -> None:
    sweep = compare_initial_states([*runs, ran("d", "p", stimulus="y"), ran("e", "p", stimulus="y")])
    assert sweep.compared == 1
    (each,) = sweep.not_compared
    assert str(each) == f"initial states of x were not compared: {told}"
    assert each.intended is intended


def test_a_filter_that_leaves_one_run_is_told_in_words(tmp_path: Path) -> None:
    night = begun(tmp_path, swept()[:1])
    lines = shown(night, tmp_path)
    assert "initial states of x were not compared: x-0 alone was to run" in lines
    document = summary(night)
    assert document["initial_states"] == {
        "compared": 0,
        "dependent": [],
        "not_compared": [{"stimulus": "x", "reason": "x-0 alone was to run"}],
    }
    assert document["problems"] == [], "whoever chose the jobs wanted it so"


def test_what_was_compared_is_told_alone(tmp_path: Path) -> None:
    night = begun(tmp_path, swept())
    lines = shown(night, tmp_path)
    assert "initial states compared: 1 stimuli" in lines
    assert not any("not compared" in line for line in lines)
    assert summary(night)["initial_states"]["not_compared"] == []


def test_a_night_that_was_to_compare_initial_states_and_did_not_is_not_good(tmp_path: Path) -> None:
    night = begun(tmp_path, [*swept("timeout"), job("a-0")])
    assert run(night, tmp_path) is ExitStatus.MISMATCH
    assert summary(night)["problems"] == ["3 timeout", "no initial states were compared"]


def test_skipped_sweeps_do_not_fail_the_night(tmp_path: Path) -> None:
    night = begun(tmp_path, [*swept(skip="broken"), job("a-0")])
    assert run(night, tmp_path) is ExitStatus.GOOD
    (told,) = summary(night)["initial_states"]["not_compared"]
    assert told["reason"] == "skipped: broken"
