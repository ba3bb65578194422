"""Random graphs through the compiler on both simulators."""

import pytest

from verif.tests.conftest import Simulate

FIXED, MANY = 40, 500


def test_random_graphs(simulate: Simulate, seed: int) -> None:
    report = simulate("random_graphs.RandomGraphTest", seeds=list(range(1000 * seed, 1000 * seed + FIXED)))
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == 2 * FIXED


@pytest.mark.slow
def test_many_random_graphs(simulate: Simulate, seed: int) -> None:
    first = 1000 * seed + FIXED
    report = simulate("random_graphs.RandomGraphTest", timeout=900.0, seeds=list(range(first, first + MANY)))
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == 2 * MANY
