"""JUnit XML, which every CI server reads."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from junitparser import Failure, JUnitXml, TestCase, TestSuite


@dataclass(frozen=True)
class Case:
    """One line of a report."""

    suite: str
    name: str
    seconds: float
    failures: tuple[str, ...] = ()
    """What is wrong, one message each; none when the case passed."""


def write_junit(path: Path, cases: Iterable[Case]) -> None:
    """Write the cases to `path`, one test suite for each `suite` named, in order of appearance."""
    suites: dict[str, TestSuite] = {}
    for case in cases:
        test_case = TestCase(case.name, classname=case.suite, time=case.seconds)
        if case.failures:
            test_case.result = [Failure("; ".join(case.failures))]
        suites.setdefault(case.suite, TestSuite(case.suite)).add_testcase(test_case)
    report = JUnitXml()
    for suite in suites.values():
        report.add_testsuite(suite)
    partial = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    report.write(str(partial), pretty=True)
    partial.replace(path)
