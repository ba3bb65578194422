"""`python -m regressions nightly --resume NIGHT`, with jobs that do what their parameters say."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from regressions import command_line
from regressions.nightly import session
from regressions.nightly.night import Night
from regressions.nightly.report import write_reports
from regressions.nightly.tests.fakes import simulate
from regressions.signals import end_as_after_ctrl_c
from verif.simulation.plain_path import REPOSITORY

REPORTING = "reporting"
"""File beside the night that is there while reports are written, for REPORTS_TAKE seconds."""

REPORTS_TAKE = "GA2_TEST_REPORTS_TAKE"


def start_client(night: Night, environment: Mapping[str, str] | None = None, **how: Any) -> Any:
    """Run what is left of a night in a process, two jobs side by side; temporary files stay beside it."""
    temporary = night.directory.parent / "tmp"
    temporary.mkdir(exist_ok=True)
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **how}
    return subprocess.Popen(
        [sys.executable, "-m", "regressions.nightly.tests.fake_client", str(night.directory)],
        cwd=REPOSITORY,
        env={**os.environ, "TMPDIR": str(temporary), **(environment or {})},
        start_new_session=True,
        **how,
    )


def _slowly(directory: Path, *arguments: Any) -> None:
    marker = directory.parent / REPORTING
    marker.touch()
    time.sleep(float(os.environ[REPORTS_TAKE]))
    write_reports(*arguments)
    marker.unlink()


def _main(directory: Path) -> int:
    session.build_for = lambda *_: None
    if REPORTS_TAKE in os.environ:
        setattr(session, "write_reports", partial(_slowly, directory))  # noqa: B010 -- it is its importer's
    session.run_session = partial(session.run_session, simulate=simulate)
    beside = directory.parent
    files = ["--failed-seeds", str(beside / "failed.json"), "--history", str(beside / "history.sqlite")]
    return command_line.main(["nightly", "--resume", str(directory), "--jobs", "2", *files])


if __name__ == "__main__":
    end_as_after_ctrl_c()
    sys.exit(_main(Path(sys.argv[1])))
