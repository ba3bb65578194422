"""The arithmetic of starts, halts and resets, against cases worked out by hand."""

import pytest

from sequences.run_plan import plan_run
from sequences.stimulus import Stimulus

CYCLES = 10
"""FETCH of pc 0 is cycle 1, so the chip is halted from cycle 11 on."""

TWICE = Stimulus(reset_cycle=4, reset_width=2, reset_gap=3)

CASES = {
    "plain": (Stimulus(), {0: None}),
    "start while busy": (Stimulus(extra_start=(1, 10)), {0: None}),
    "start in the first halted cycle": (Stimulus(extra_start=(11, 11)), {0: None, 11: None}),
    "start later": (Stimulus(extra_start=(15, 15)), {0: None, 15: None}),
    "held to the first halted cycle": (Stimulus(extra_start=(1, 11)), {0: None, 11: None}),
    "held short of the second": (Stimulus(extra_start=(1, 21)), {0: None, 11: None}),
    "held to the second": (Stimulus(extra_start=(1, 22)), {0: None, 11: None, 22: None}),
    "reset in FETCH": (Stimulus(reset_cycle=1), {0: 1}),
    "reset in the last cycle": (Stimulus(reset_cycle=10), {0: 10}),
    "reset in the first halted cycle": (Stimulus(reset_cycle=11), {0: 11}),
    "reset too late": (Stimulus(reset_cycle=12), {0: None}),
    "reset in the second pass": (Stimulus(extra_start=(11, 11), reset_cycle=14), {0: None, 11: 3}),
    "reset wins over start": (Stimulus(extra_start=(11, 11), reset_cycle=11), {0: 11}),
    "reset while waiting": (Stimulus(extra_start=(15, 15), reset_cycle=13), {0: 13, 15: None}),
    "start under a wide reset": (Stimulus(extra_start=(4, 6), reset_cycle=4, reset_width=3), {0: 4}),
    "start in the cycle after": (Stimulus(extra_start=(4, 7), reset_cycle=4, reset_width=3), {0: 4, 7: None}),
    "held from before": (Stimulus(extra_start=(2, 30), reset_cycle=4), {0: 4, 5: None, 16: None, 27: None}),
    "two resets": (TWICE, {0: 4}),
    "start in the gap": (
        Stimulus(extra_start=(7, 7), reset_cycle=4, reset_width=2, reset_gap=3),
        {0: 4, 7: 2},
    ),
    "start in gap and after": (
        Stimulus(extra_start=(7, 11), reset_cycle=4, reset_width=2, reset_gap=3),
        {0: 4, 7: 2, 11: None},
    ),
    "start under the second": (
        Stimulus(extra_start=(9, 10), reset_cycle=4, reset_width=2, reset_gap=3),
        {0: 4},
    ),
    "the second while halted": (Stimulus(extra_start=(6, 6), reset_cycle=4, reset_gap=20), {0: 4, 6: 19}),
    "started between them and again": (
        Stimulus(extra_start=(6, 40), reset_cycle=4, reset_gap=20),
        {0: 4, 6: None, 17: 8, 26: None, 37: None},
    ),
}
"""For each start that is honoured, by its cycle: where rst cuts the pass, or None."""


@pytest.mark.parametrize("case", CASES)
def test_run_plan(case: str) -> None:
    stimulus, passes = CASES[case]
    plan = plan_run(CYCLES, stimulus)
    assert dict(zip(plan.begins, plan.cuts, strict=True)) == passes
    assert len(passes) == plan.starts
