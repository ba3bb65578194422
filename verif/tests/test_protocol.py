"""The memory ports under random response delays, on both simulators."""

from sequences.random_delays import delayed_programs
from verif.tests.conftest import Simulate


def test_busy_times_follow_random_delays_exactly(simulate: Simulate, seed: int) -> None:
    report = simulate("protocol.RandomDelayTest", seed=seed)
    assert report.passed, "\n".join(map(str, report.mismatches))
    assert report.programs == sum(1 for _ in delayed_programs(seed))
    looked, _ = report.checks["response"]
    assert looked > 4095
