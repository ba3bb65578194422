"""JUnit XML, which every CI server reads."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from sequences.whole_file import write_bytes

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold, in no spelling: a simulator that breaks off may have printed anything."""


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
        test_case = TestCase(case.name, classname=case.suite, time=case.seconds)
        if case.failures:
            test_case.result = [Failure(_in_xml("; ".join(case.failures)))]
        elif case.error:
            test_case.result = [Error(_in_xml(case.error))]
        elif case.skipped:
            test_case.result = [Skipped(_in_xml(case.skipped))]
        suites.setdefault(case.suite, TestSuite(case.suite)).add_testcase(test_case)
    report = JUnitXml()
    for suite in suites.values():
        report.add_testsuite(suite)
    content = io.BytesIO()
    report.write(content, pretty=True)
    write_bytes(path, content.getvalue())


def _in_xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
