"""`testplan`: writes docs/testplan.md."""

from __future__ import annotations

from regressions.exit_status import ExitStatus
from regressions.testplan.page import plan_page
from regressions.testplan.plan import load_plan
from sequences.whole_file import write_text
from verif.coverage.model import load_model
from verif.simulation.plain_path import REPOSITORY

PAGE = REPOSITORY / "docs" / "testplan.md"


def testplan() -> ExitStatus:
    """Write docs/testplan.md from the plan and the coverage definitions."""
    write_text(PAGE, plan_page(load_plan(), load_model()))
    return ExitStatus.GOOD
