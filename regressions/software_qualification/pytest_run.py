"""Runs a selection of tests in a copy of the sources, and reads what became of each."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from signal import SIGXCPU

from junitparser import Error, Failure, JUnitXml, TestCase

from refmodel.errors import Ga2Error
from verif.simulation.process_group import OutOfTimeError, run_in_group
from verif.simulation.time_limit import time_limit

REPORT = "junit.xml"

_FOREIGN = ("PYTEST", "PYTHON", "RTL", "GA2_")
"""How variables begin that would change what is tested, or how: the caller may be a test itself."""

_STATUSES = {0: True, 1: False, 2: False, 4: False, 5: True}
"""Statuses of pytest that are about tests, and whether each is good: all passed, some failed, a file that
cannot be imported (4 where one test of it was asked for), no test."""


class PytestError(Ga2Error):
    """Nothing follows from a run of pytest: it was not ended, or something is wrong beside the tests."""


class Result(Enum):
    """What became of one test."""

    PASSED = "passed"
    FAILED = "failed"
    """An assertion or an exception in the body of the test."""
    ERROR = "error"
    """Its file could not be imported, or a fixture failed."""
    SKIPPED = "skipped"


@dataclass(frozen=True)
class CaseResult:
    """One test, parameters included."""

    test: str
    """As pytest spells it: file::function[parameters]."""
    result: Result
    message: str = ""
    """The first line of what pytest says of a test that did not pass."""


def run_tests(
    directory: Path, tests: Sequence[str], seconds: float, *, to_first_failure: bool
) -> list[CaseResult]:
    """Run tests, spelled as pytest does, in the copy in `directory`; return what ran, in that order.

    The list is empty if no test was collected. Raises PytestError if they have not ended after `seconds` of
    CPU time, or pytest ends otherwise than with a verdict on tests, such as for a test that does not exist.
    """
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", f"--junit-xml={REPORT}"]
    if to_first_failure:
        options.append("--exitfirst")
    limit = time_limit(seconds)
    limited = ["bash", "-c", 'ulimit -S -c 0; ulimit -S -t "$0"; exec "$@"', str(limit.whole_seconds)]
    command = [*limited, sys.executable, "-m", "pytest", *options, *tests]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    try:
        status, output = run_in_group(command, directory, environment, limit.clock)
    except OutOfTimeError as error:
        raise PytestError(f"the tests have not ended after {error.clock:g} s by the clock") from None
    if status == -SIGXCPU:
        raise PytestError(f"the tests have not ended after {limit.cpu:g} s of CPU time")
    cases = _cases(directory / REPORT)
    good = all(case.result in (Result.PASSED, Result.SKIPPED) for case in cases)
    if status not in _STATUSES or _STATUSES[status] != good:
        lines = output.splitlines() or ["it printed nothing"]
        raise PytestError(f"pytest ended with status {status}, and its report tells not why: {lines[-1]}")
    return cases


def _cases(report: Path) -> list[CaseResult]:
    if not report.exists():
        return []
    return [_case(case) for suite in JUnitXml.fromfile(str(report)) for case in suite]


def _case(case: TestCase) -> CaseResult:
    test = f"{(case.classname or '').replace('.', '/')}.py::{case.name}"
    if not case.result:
        return CaseResult(test, Result.PASSED)
    outcome = case.result[0]
    result = Result.SKIPPED
    if isinstance(outcome, Failure):
        result = Result.FAILED
    elif isinstance(outcome, Error):
        result = Result.ERROR
    return CaseResult(test, result, next(iter((outcome.message or "").splitlines()), ""))
