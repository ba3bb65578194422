"""What a night took, when its workers are children of this process and when they are not."""

from __future__ import annotations

import time

import pytest

from regressions.nightly.cost import CostMeter, NightCost
from regressions.nightly.result import Cost


@pytest.mark.parametrize(("elsewhere", "of_jobs"), [(True, 1200.0), (False, 0.0)])
def test_workers_elsewhere_count_by_their_jobs(elsewhere: bool, of_jobs: float) -> None:
    meter = CostMeter(2, elsewhere=elsewhere)
    meter.take(Cost(seconds=700.0, simulation_cpu=1000.0, bench_cpu=200.0))
    assert meter.read().cpu == pytest.approx(of_jobs, abs=60)


def test_what_is_not_work_on_a_job_is_overhead_on_a_farm_too() -> None:
    meter = CostMeter(2, elsewhere=True)
    meter.take(Cost(simulation_cpu=0.0, bench_cpu=0.0))
    sum(range(1_000_000))  # so that there is something to share out
    cost = meter.read()
    assert cost.overhead == 1.0
    assert cost.busy > 0


def test_parts_of_the_time_are_those_of_all_cores() -> None:
    cost = NightCost(seconds=10.0, cpu=15.0, simulation_cpu=9.0, bench_cpu=3.0, cores=2)
    assert cost.busy == pytest.approx(0.75)
    assert cost.overhead == pytest.approx(0.2)
    told = cost.to_json()
    assert (told["busy"], told["overhead"], told["cores"]) == (0.75, 0.2, 2)


def test_more_work_on_jobs_than_time_is_no_overhead() -> None:
    assert NightCost(seconds=10.0, cpu=15.0, simulation_cpu=14.0, bench_cpu=3.0, cores=2).overhead == 0.0


def test_a_night_is_measured_from_its_beginning_and_by_its_own_cores() -> None:
    meter = CostMeter(3)
    before = time.perf_counter()
    sum(range(3_000_000))
    worked = time.perf_counter() - before
    cost = meter.read()
    assert cost.cores == 3
    assert cost.seconds >= worked
    assert 0 < cost.busy <= 1.1 / 3, "this process is one of three"


def test_the_memory_of_the_largest_job_counts() -> None:
    meter = CostMeter(2)
    for memory in (100, 300, 200):
        meter.take(Cost(memory=memory))
    assert meter.read().memory == 300
    assert meter.read().to_json()["memory"] == 300
