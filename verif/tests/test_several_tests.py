"""Several UVM tests in one simulation, as sim.mk runs them without a filter: each is on its own."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from sequences.random_delays import delayed_programs
from sequences.stimulus import DELAY_PATTERNS
from verif.run_report import REPORT, RunReport
from verif.simulation.sim_make import run_make
from verif.simulation.time_limit import time_limit


def run(simulator: str, module: str, names: str, directory: Path, **parameters: Any) -> dict[str, RunReport]:
    """Run the tests of a module whose names match; return the reports by test, in order."""
    request = directory / "request.json"
    request.write_text(json.dumps(parameters))
    settings = {"TEST_MODULE": f"verif.uvm_tests.{module}", "TEST_FILTER": names, "RUN_DIR": directory}
    status, output = run_make(f"run-{simulator}", settings, {"GA2_REQUEST": str(request)}, time_limit(300))
    assert status == 0, output
    cases = ElementTree.parse(directory / "results.xml").getroot().findall(".//testcase")
    return {case.attrib["name"]: RunReport.read(directory / case.attrib["name"] / REPORT) for case in cases}


@pytest.mark.slow  # test_protocol.py runs the same tests, each in a simulation of its own
def test_each_test_of_a_module_passes_and_has_its_report(simulator: str, tmp_path: Path) -> None:
    reports = run(simulator, "protocol", "", tmp_path, seed=1)
    assert [str(each) for report in reports.values() for each in report.mismatches] == []
    assert {name: (report.passed, report.programs) for name, report in reports.items()} == {
        "RandomDelayTest": (True, sum(1 for _ in delayed_programs(1))),
        "CompiledDelayTest": (True, 2 * len(DELAY_PATTERNS)),
    }


def test_a_test_after_one_that_hung_passes(simulator: str, tmp_path: Path) -> None:
    reports = run(simulator, "broken_bench", "(HangTest|LateErrorTest)$$", tmp_path)
    assert {name: (report.passed, report.error_kind) for name, report in reports.items()} == {
        "HangTest": (False, "hang"),
        "LateErrorTest": (True, None),
    }


def test_seven_tests_may_each_open_all_memories(simulator: str, tmp_path: Path) -> None:
    names = "LosingAll|EmptyRun|SimulatedUnknown|Hang|LateError|StrayResponse"
    reports = run(simulator, "broken_bench", f"({names})", tmp_path)
    assert len(reports) == 7
    assert {name: report.error_kind for name, report in reports.items() if report.error_kind} == {
        "HangTest": "hang"
    }
    assert reports["StrayResponseTest"].programs == 1
