"""The statistics of the sampling tests: a chi-square test against known probabilities.

All tests use the significance 0.001 (a correct implementation fails one seed in a thousand) and fixed
seeds, so a passing test passes for ever.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from refmodel.numerics.quantization import FloatArray

SIGNIFICANCE = 0.001

CHI_SQUARE_QUANTILE = {
    1: 10.828,
    2: 13.816,
    3: 16.266,
    4: 18.467,
    5: 20.515,
    7: 24.322,
    15: 37.697,
    63: 103.442,
}
"""The 1 − SIGNIFICANCE quantiles of the chi-square distribution by degrees of freedom, from tables."""

NORMAL_QUANTILE = 3.2905
"""Two-sided: a standard normal exceeds it in magnitude with probability SIGNIFICANCE."""


def assert_distributed(draws: Sequence[int], probabilities: FloatArray) -> None:
    """Fail when the draws' counts are significantly unlike `probabilities`, or a draw had probability 0."""
    counts = np.bincount(draws, minlength=len(probabilities))
    possible = probabilities > 0
    assert not counts[~possible].any(), f"impossible outcomes were drawn: {counts}"
    expected = probabilities[possible] / probabilities.sum() * len(draws)
    assert expected.min() >= 5, "too few draws for a chi-square test"
    statistic = float(((counts[possible] - expected) ** 2 / expected).sum())
    limit = CHI_SQUARE_QUANTILE[int(possible.sum()) - 1]
    assert statistic < limit, f"chi-square {statistic:.1f} exceeds {limit}: {counts[possible]} for {expected}"
