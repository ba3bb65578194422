"""A night that ends against those before it: cycles that must stay, throughput that should."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from regressions.history.expectations import Expectations, held_against_history
from regressions.history.recording import accept_cycles
from regressions.history.tests.conftest import MakeHistory
from regressions.history.tests.made_up import made_job, made_night
from regressions.nightly.attempt import RESULTS
from regressions.nightly.job import NightJob
from regressions.nightly.night import Night, NightPlan
from regressions.nightly.result import Cost, JobResult, Status, write_result
from regressions.nightly.tests.fakes import job

TABLE = job("t-0", tags=("standing",))


def night_of(directory: Path, *results: JobResult) -> Night:
    """Return a night of the ninth of January 2027 with these results."""
    jobs = tuple(result.job for result in results)
    night = Night(directory, NightPlan("nightly", 1, "2027-01-09T02:00:00+01:00", "abc", {}, {}, jobs))
    (directory / RESULTS).mkdir()
    for result in results:
        write_result(directory / RESULTS, result)
    return night


def passed(job: NightJob, cycles: int, seconds: float = 1.0, machine: str = "here") -> JobResult:
    return JobResult(job, Status.PASSED, "", 10, 100, cost=Cost(2.0, seconds, 0.0, machine), cycles=cycles)


def standing(cycles: int, status: str = "passed", **more: Any) -> dict[str, Any]:
    tags = {"tags": ["standing"], **more}
    return made_job("t-0", status, fingerprint=TABLE.fingerprint, cycles=cycles, **tags)


def test_without_a_history_there_is_nothing_to_say(tmp_path: Path) -> None:
    night = night_of(tmp_path, passed(TABLE, 5))
    assert held_against_history(tmp_path / "none.sqlite", night) == Expectations()
    assert not (tmp_path / "none.sqlite").exists()


@pytest.mark.parametrize(
    ("counts", "accepted", "found", "drift"),
    [
        ([100, 100], None, 100, ""),
        ([100], None, 101, "t-0 took 101 cycles, but 100 in n1"),
        ([100, 101], None, 101, "t-0 took 101 cycles, but 100 in n1"),  # nobody has accepted it
        ([100, 101, 101], "n2", 101, ""),
        ([100, 101, 100], "n2", 100, "t-0 took 100 cycles, but 101 in n2"),
        ([100, 101, 102], "n1", 101, "t-0 took 101 cycles, but 100 in n1"),
    ],
)
def test_cycles_are_those_of_the_first_night_or_of_the_one_that_was_accepted(
    counts: list[int],
    accepted: str | None,
    found: int,
    drift: str,
    history_of: MakeHistory,
    tmp_path: Path,
) -> None:
    nights = [made_night(f"n{day}", day, [standing(cycles)]) for day, cycles in enumerate(counts, 1)]
    history = history_of(*nights)
    if accepted:
        accept_cycles(history, accepted, "the cycle law changed")
    night = night_of(tmp_path, passed(TABLE, found))
    assert held_against_history(history, night).drifts == ((drift,) if drift else ())


def test_the_last_acceptance_is_the_one_that_holds(history_of: MakeHistory, tmp_path: Path) -> None:
    history = history_of(*(made_night(f"n{day}", day, [standing(100 + day)]) for day in (1, 2, 3)))
    for name in ("n3", "n2"):
        accept_cycles(history, name, "why")
    assert held_against_history(history, night_of(tmp_path, passed(TABLE, 103))).drifts == ()


@pytest.mark.parametrize(
    "other",
    [standing(7, tags=[]), standing(7, "failed"), made_job("t-0", cycles=7, tags=["standing"])],
)
def test_only_standing_workloads_that_passed_are_compared(
    other: dict[str, Any], history_of: MakeHistory, tmp_path: Path
) -> None:
    night = night_of(tmp_path, passed(TABLE, 5))
    assert held_against_history(history_of(made_night("a", 1, [other])), night).drifts == ()


@pytest.mark.parametrize("day", [9, 10])
def test_a_later_night_or_one_of_the_same_time_is_no_measure(
    day: int, history_of: MakeHistory, tmp_path: Path
) -> None:
    jobs = [standing(7), made_job("x-0", cycles=9000)]
    history = history_of(*(made_night(f"n{number}", day, jobs) for number in range(3)))
    night = night_of(tmp_path, passed(TABLE, 5), passed(job("x-0"), 1000))
    assert held_against_history(history, night) == Expectations()


def paced(*paces: int, **more: Any) -> list[dict[str, Any]]:
    """Return nights in which entry `x` makes so many cycles a second."""
    return [
        made_night(f"p{day}", day, [made_job("x-0", cycles=pace, **more)])
        for day, pace in enumerate(paces, 1)
    ]


@pytest.mark.parametrize(
    ("paces", "found", "told"),
    [
        ((1000, 1000, 1000), 751, []),
        ((1000, 1000, 1000), 749, ["icarus (optimized) runs at 75% of its throughput in the last nights"]),
        ((1000, 1000), 100, []),  # two nights are no measure
        ((9000,) * 4 + (1000,) * 4, 800, []),  # the last five count
        ((100, 1000, 1000, 1000, 9000), 500, ["icarus (optimized) runs at 50% of its throughput"]),
    ],
)
def test_throughput_is_held_against_the_median_of_the_last_nights(
    paces: tuple[int, ...], found: int, told: list[str], history_of: MakeHistory, tmp_path: Path
) -> None:
    night = night_of(tmp_path, passed(job("x-0"), found))
    slower = held_against_history(history_of(*paced(*paces)), night).slower
    assert [each[: len(expected)] for each, expected in zip(slower, told, strict=True)] == told


def test_other_rtl_is_no_measure(history_of: MakeHistory, tmp_path: Path) -> None:
    jobs = [standing(7), made_job("x-0", cycles=1000)]
    history = history_of(*(made_night(f"n{day}", day, jobs, chip={"RTL": "my.f"}) for day in (1, 2, 3)))
    night = night_of(tmp_path, passed(TABLE, 5), passed(job("x-0"), 10))
    assert held_against_history(history, night) == Expectations()


@pytest.mark.parametrize("other", [{"machine": "there"}, {"simulator": "verilator"}, {"build": "coverage"}])
def test_another_machine_simulator_or_build_is_no_measure(
    other: dict[str, str], history_of: MakeHistory, tmp_path: Path
) -> None:
    night = night_of(tmp_path, passed(job("x-0"), 10))
    assert held_against_history(history_of(*paced(1000, 1000, 1000, **other)), night).slower == ()


def test_another_choice_of_jobs_is_no_other_throughput(history_of: MakeHistory, tmp_path: Path) -> None:
    """A second of `slow` makes 10 cycles and one of `fast` 1000; tonight there are more of the slow ones."""
    jobs = [made_job("slow-0", cycles=10), made_job("fast-0", cycles=1000)]
    history = history_of(*(made_night(f"n{day}", day, jobs) for day in (1, 2, 3)))
    usual = [passed(job(f"slow-{number}"), 10) for number in range(9)] + [passed(job("fast-0"), 1000)]
    assert held_against_history(history, night_of(tmp_path, *usual)).slower == ()


def test_all_entries_of_a_build_are_judged_together(history_of: MakeHistory, tmp_path: Path) -> None:
    """One is half as fast, one as fast as ever: 1 + 3 expected seconds took 2 + 3, which is 80 %."""
    jobs = [made_job("a-0", cycles=10), made_job("b-0", cycles=1000)]
    history = history_of(*(made_night(f"n{day}", day, jobs) for day in (1, 2, 3)))
    night = night_of(tmp_path, passed(job("a-0"), 10, 2.0), passed(job("b-0"), 3000, 3.0))
    assert held_against_history(history, night).slower == ()
    slow_b = [passed(job("a-1"), 10, 2.0), passed(job("b-1"), 3000, 6.0)]
    (tmp_path / "other").mkdir()
    (warning,) = held_against_history(history, night_of(tmp_path / "other", *slow_b)).slower
    assert warning.startswith("icarus (optimized) runs at 50%")
