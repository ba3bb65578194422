"""Runs a selection of tests in a copy of the sources, and reads what became of each."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from junitparser import Error, Failure, JUnitXml, TestCase

from refmodel.errors import Ga2Error
from verif.process_group import run_in_group

REPORT = "junit.xml"

_FOREIGN = ("PYTEST", "PYTHON", "RTL", "GA2_")
"""How variables begin that would change what is tested, or how: the caller may be a test itself."""


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

    The list is empty if no test was collected. Raises PytestError if they have not ended after `seconds`, or
    pytest ends otherwise than with a verdict on tests, such as for a test that does not exist.
    """
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", f"--junit-xml={REPORT}"]
    if to_first_failure:
        options.append("--exitfirst")
    command = [sys.executable, "-B", "-m", "pytest", *options, *tests]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    try:
        status, output = run_in_group(command, directory, environment, seconds)
    except subprocess.TimeoutExpired:
        raise PytestError(f"the tests have not ended after {seconds:g} s") from None
    # 0: all passed, 1: some failed, 2: a file could not be imported, 5: there were none
    if status not in (0, 1, 2, 5) or not (directory / REPORT).exists():
        raise PytestError(f"pytest ended with status {status}: {_last_line(output)}")
    cases = [_case(case) for suite in JUnitXml.fromfile(str(directory / REPORT)) for case in suite]
    good = all(case.result in (Result.PASSED, Result.SKIPPED) for case in cases)
    if (status in (0, 5) and not good) or (status in (1, 2) and good):
        raise PytestError(f"pytest's status {status} contradicts its report: {_last_line(output)}")
    return cases


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


def _last_line(output: str) -> str:
    return next(reversed(output.split("\n")[:-1]), "it printed nothing")
