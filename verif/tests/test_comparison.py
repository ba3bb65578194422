"""How a comparison collects what is wrong."""

from verif.scoreboard.comparison import Comparison
from verif.scoreboard.verdict import Aspect, Mismatch


def test_a_mismatch_with_model_and_expectation_alike_is_reported_once() -> None:
    comparison = Comparison("p")
    for expected in (5, 5, 6):
        comparison.value(Aspect.COUNTER, "cyc_mm", expected, 7)
    assert comparison.tally.comparisons == 3
    assert comparison.mismatches == [
        Mismatch("p", Aspect.COUNTER, "cyc_mm", "5", "7"),
        Mismatch("p", Aspect.COUNTER, "cyc_mm", "6", "7"),
    ]
