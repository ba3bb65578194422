"""Coverage, throughput and cycles over made-up nights."""

from __future__ import annotations

from regressions.history.database import opened
from regressions.history.job_history import failing_since, runs_of
from regressions.history.nights import latest_nights, statuses
from regressions.history.recording import accept_cycles
from regressions.history.tests.conftest import MakeHistory
from regressions.history.tests.made_up import made_job, made_night
from regressions.history.trends import Speed, cycle_changes, trend


def test_throughput_is_that_of_jobs_that_passed_by_simulator_build_and_machine(
    history_of: MakeHistory,
) -> None:
    jobs = [
        made_job("x-0", cycles=3000, programs=6, simulation_cpu=2.0),
        made_job("y-0", cycles=1000, programs=2, simulation_cpu=2.0),
        made_job("z-0", "failed", cycles=9000),
        made_job("v-0", simulator="verilator", cycles=8000, programs=4, simulation_cpu=0.5),
        made_job("v-1", simulator="verilator", build="coverage", cycles=500, programs=1),
        made_job("f-0", machine="there", cycles=700, programs=7, simulation_cpu=0.5),
    ]
    with opened(history_of(made_night("a", 1, jobs))) as connection:
        (point,) = trend(connection, latest_nights(connection, None, 5))
    assert point.night.coverage == 90.0
    assert point.speeds == (
        Speed("icarus", "optimized", "here", 1000.0, 2.0),
        Speed("icarus", "optimized", "there", 1400.0, 14.0),
        Speed("verilator", "coverage", "here", 500.0, 1.0),
        Speed("verilator", "optimized", "here", 16000.0, 8.0),
    )


def test_the_last_nights_of_a_list_come_newest_last(history_of: MakeHistory) -> None:
    nights = [made_night(f"n{day}", day, [made_job("x-0")]) for day in (3, 1, 4, 2)]
    nights.append(made_night("s", 9, [made_job("x-0")], list="smoke", coverage={}))
    with opened(history_of(*nights)) as connection:
        assert [night.name for night in latest_nights(connection, None, 3)] == ["n3", "n4", "s"]
        assert [night.name for night in latest_nights(connection, "nightly", 3)] == ["n2", "n3", "n4"]
        (smoke,) = latest_nights(connection, "smoke", 3)
        assert (smoke.coverage, statuses(connection, smoke)) == (None, {"passed": 1})


def test_every_change_of_cycles_of_a_standing_workload_is_told(history_of: MakeHistory) -> None:
    def night(name: str, day: int, cycles: int, status: str = "passed") -> dict[str, object]:
        standing = made_job("t-0", status, cycles=cycles, tags=["standing"])
        return made_night(name, day, [standing, made_job("x-0", cycles=day)])

    history = history_of(
        night("a", 1, 100),
        night("b", 2, 100),
        night("c", 3, 7, "failed"),
        night("d", 4, 101),
        night("e", 5, 99),
    )
    accept_cycles(history, "e", "the law changed")
    with opened(history) as connection:
        changes = cycle_changes(connection, latest_nights(connection, None, 9))
        told = [(each.job, each.night, each.before, each.after, each.accepted) for each in changes]
        assert told == [("t-0", "d", 100, 101, None), ("t-0", "e", 101, 99, "the law changed")]
        assert [each.night for each in cycle_changes(connection, latest_nights(connection, None, 2))] == ["e"]


def test_a_job_fails_since_the_first_run_in_a_row_that_did_not_pass(history_of: MakeHistory) -> None:
    ends = ["failed", "skipped", "timeout", "flaky"]
    nights = [made_night(f"n{day}", day, [made_job("x-0", end)]) for day, end in enumerate(ends, 1)]
    with opened(history_of(*nights)) as connection:
        runs = runs_of(connection, "x-0")
    assert [run.status for run in runs] == ends
    since = failing_since(runs)
    assert since is not None
    assert since.night == "n3"
    assert failing_since(runs[:2]) is None
