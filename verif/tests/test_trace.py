"""Trace mode on both simulators: a right chip shows exactly the events of the model's trace."""

import pytest

from sequences.directed import GROUPS
from verif.run_report import RunReport
from verif.tests.conftest import Simulate


def test_a_right_chip_follows_the_model(simulate: Simulate, seed: int) -> None:
    report = simulate(
        "traced_directed.TracedDirectedTest", groups=list(GROUPS), seed=seed, every=9, delays=True
    )
    _require_agreement(report, at_least=80)


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_every_directed_program_follows_the_model(simulate: Simulate, seed: int, group: str) -> None:
    programs = sum(1 for _ in GROUPS[group](seed))
    report = simulate("traced_directed.TracedDirectedTest", groups=[group], seed=seed, every=1)
    _require_agreement(report, at_least=programs)


def _require_agreement(report: RunReport, at_least: int) -> None:
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert not report.payload["divergences"]
    assert report.payload["traced"] >= at_least
    assert report.payload["events"] > 10 * at_least
