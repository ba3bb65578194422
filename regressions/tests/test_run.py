from __future__ import annotations

import json

import pytest

from regressions.choices import RTL_SIMULATORS
from regressions.rtl import OUT
from regressions.tests.conftest import CommandLine


def test_every_published_figure_is_reproduced_on_the_rtl(
    request: pytest.FixtureRequest, command_line: CommandLine
) -> None:
    """One test for all simulators, since `run` fills one directory."""
    chosen = request.config.getoption("--sim")
    outcome = command_line("run", *(["--sim", chosen] if chosen else []))
    assert outcome.status == 0, outcome.output
    assert "every figure reproduced" in outcome.output
    summary = json.loads((OUT / "run" / "summary.json").read_text())
    assert summary["good"] is True
    assert list(summary["simulators"]) == ([chosen] if chosen else list(RTL_SIMULATORS))
    for found in summary["simulators"].values():
        assert len(found["rows"]) == 14 + 8
        assert found["comparisons"] > 1_000_000
