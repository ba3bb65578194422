"""The memory ports under random response delays, on both simulators."""

import pytest

from sequences.random_delays import delayed_programs
from sequences.stimulus import DELAY_PATTERNS
from verif.tests.conftest import Simulate


def test_busy_times_follow_random_delays_exactly(simulate: Simulate, seed: int) -> None:
    report = simulate("protocol.RandomDelayTest", seed=seed)
    assert report.passed, "\n".join(map(str, report.mismatches))
    assert report.programs == sum(1 for _ in delayed_programs(seed))
    looked, _ = report.checks["response_asked"]
    assert looked > 4095


@pytest.mark.slow("icarus")
def test_compiled_programs_under_every_pattern_of_delays(simulate: Simulate, seed: int) -> None:
    report = simulate("protocol.CompiledDelayTest", seed=seed)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == 2 * len(DELAY_PATTERNS)
    looked, failed = report.checks["response_asked"]
    assert looked > len(DELAY_PATTERNS) * 2304  # the weights of a block alone
    assert failed == 0
