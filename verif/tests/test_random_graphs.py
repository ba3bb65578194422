"""Random graphs through the compiler on both simulators."""

import pytest

from verif.tests.conftest import Simulate

FIXED, MANY = 40, 500


@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param(range(16), id="first"),
        pytest.param(range(16, FIXED), id="further", marks=pytest.mark.slow("icarus")),
    ],
)
def test_random_graphs(simulate: Simulate, seed: int, numbers: range) -> None:
    seeds = [1000 * seed + number for number in numbers]
    report = simulate("random_graphs.RandomGraphTest", seeds=seeds)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == 2 * len(seeds)


@pytest.mark.slow
def test_many_random_graphs(simulate: Simulate, seed: int) -> None:
    first = 1000 * seed + FIXED
    report = simulate("random_graphs.RandomGraphTest", timeout=900.0, seeds=list(range(first, first + MANY)))
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == 2 * MANY
