"""JUnit XML, which every CI server reads."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from refmodel.printable import printable, printable_lines
from sequences.whole_file import write_bytes

LONGEST_LINE = 5000
"""Characters of a line of a message."""


@dataclass(frozen=True)
class Case:
    """One line of a report."""

    suite: str
    name: str
    seconds: float
    failures: tuple[str, ...] = ()
    """What is wrong, one message each; none when the case passed."""
    error: str = ""
    """Why it came to no verdict."""
    skipped: str = ""
    """Why it was not run."""


def write_junit(path: Path, cases: Iterable[Case]) -> None:
    """Write the cases to `path`, one test suite for each `suite` named, in order of appearance.

    Raises Ga2Error when it cannot be written.
    """
    suites: dict[str, TestSuite] = {}
    for case in cases:
        test_case = TestCase(printable(case.name), classname=printable(case.suite), time=case.seconds)
        if case.failures:
            test_case.result = [Failure(_in_xml("; ".join(case.failures)))]
        elif case.error:
            test_case.result = [Error(_in_xml(case.error))]
        elif case.skipped:
            test_case.result = [Skipped(_in_xml(case.skipped))]
        suites.setdefault(case.suite, TestSuite(printable(case.suite))).add_testcase(test_case)
    report = JUnitXml()
    for suite in suites.values():
        report.add_testsuite(suite)
    content = io.BytesIO()
    report.write(content, pretty=True)
    write_bytes(path, content.getvalue())


def _in_xml(text: str) -> str:
    """Return text that XML can hold: a simulator that breaks off may have printed anything."""
    return printable_lines(text, LONGEST_LINE)
