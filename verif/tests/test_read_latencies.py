"""Programs under every read latency from 1 to 32, on both simulators."""

import pytest

from sequences.directed import GROUPS
from verif.tests.conftest import Simulate

LATENCIES = list(range(1, 33))


def test_compiled_programs_under_every_latency(simulate: Simulate, seed: int) -> None:
    shapes = [(number % 7, 1 + number % 3) for number in range(len(LATENCIES))]
    family = {
        "target": "sharp", "target_seed": 2, "scales": "model", "shapes": shapes, "draft_tokens": [],
    }  # fmt: skip
    report = simulate("language.LanguageTest", families=[family], seed=seed, read_latencies=LATENCIES)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == len(LATENCIES)


@pytest.mark.slow
@pytest.mark.parametrize("latency", [1, 2, 3, 7, 16, 31, 32])
def test_all_directed_programs_under_other_latencies(simulate: Simulate, seed: int, latency: int) -> None:
    report = simulate("directed.DirectedTest", timeout=900.0, seed=seed, read_latency=latency)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == sum(1 for group in GROUPS.values() for _ in group(seed))
