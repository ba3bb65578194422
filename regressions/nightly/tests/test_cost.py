"""What a night took, when its workers are children of this process and when they are not."""

from __future__ import annotations

import pytest

from regressions.nightly.cost import CostMeter
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
