"""The arithmetic of starts, halts and resets, against cases worked out by hand."""

import pytest

from sequences.stimulus import Stimulus
from verif.scoreboard.run_plan import RunPlan, plan_run

CYCLES = 10
"""FETCH of pc 0 is cycle 1, so the chip is halted from cycle 11 on."""

CASES = {
    "plain": (Stimulus(), RunPlan(1, None)),
    "start while busy": (Stimulus(extra_start=(1, 10)), RunPlan(1, None)),
    "start in the first halted cycle": (Stimulus(extra_start=(11, 11)), RunPlan(2, None)),
    "start later": (Stimulus(extra_start=(15, 15)), RunPlan(2, None)),
    "held to the first halted cycle": (Stimulus(extra_start=(1, 11)), RunPlan(2, None)),
    "held short of the second": (Stimulus(extra_start=(1, 21)), RunPlan(2, None)),
    "held to the second": (Stimulus(extra_start=(1, 22)), RunPlan(3, None)),
    "reset in FETCH": (Stimulus(reset_cycle=1), RunPlan(1, 1)),
    "reset in the last cycle": (Stimulus(reset_cycle=10), RunPlan(1, 10)),
    "reset in the first halted cycle": (Stimulus(reset_cycle=11), RunPlan(1, 11)),
    "reset too late": (Stimulus(reset_cycle=12), RunPlan(1, None)),
    "reset in the second pass": (Stimulus(extra_start=(11, 11), reset_cycle=14), RunPlan(2, 3)),
    "reset wins over start": (Stimulus(extra_start=(11, 11), reset_cycle=11), RunPlan(1, 11)),
    "reset while waiting": (Stimulus(extra_start=(15, 15), reset_cycle=13), RunPlan(1, 13)),
}


@pytest.mark.parametrize("case", CASES)
def test_run_plan(case: str) -> None:
    stimulus, plan = CASES[case]
    assert plan_run(CYCLES, stimulus) == plan
