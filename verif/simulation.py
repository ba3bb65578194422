"""Starts a UVM test in a simulator, from outside, and brings its report back.

Nothing passes in silence: a simulation that crashed, was killed, ran no test, wrote no report or compared
nothing is a SimulationError or a report that has not `passed`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from verif.run_report import RunReport
from verif.sim_make import REPOSITORY, complaint, make_command, make_environment

DEFAULT_TIMEOUT = 600.0
"""Seconds of wall clock after which a simulation is killed, building included."""

LOG_TAIL = 15


class SimulationError(Ga2Error):
    """A simulation that brought no usable report: a missing tool, a failed build, a crash."""


class SimulationTimeout(Ga2Error):  # noqa: N818 -- a verdict on the chip or the bench, as a hang is
    """A simulation that had to be killed."""


@dataclass(frozen=True)
class Simulation:
    """One UVM test to run."""

    simulator: str
    """`icarus` or `verilator`."""
    test: str
    """Module below verif.uvm_tests and class, as in `replay.ReplayTest`."""
    run_directory: Path
    """Gets request.json, report.json, results.xml and sim.log; its old content is removed."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """JSON values; each test says which it takes."""
    seed: int = 1
    timeout: float = DEFAULT_TIMEOUT
    waves: Path | None = None
    """Where all signals are dumped to, FST."""
    rtl: str | None = None
    """Other RTL of module ga2 than RTL= of the environment or the project's: a file list or source files."""
    scratchpad: str | None = None
    """The path of its memory below the harness's `dut`."""

    def run(self) -> RunReport:
        """Run it and return the report. Raises SimulationError or SimulationTimeout."""
        directory = self.run_directory.resolve()
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        request, report = directory / "request.json", directory / "report.json"
        request.write_text(json.dumps(dict(self.parameters)), encoding="utf-8")
        variables = {"GA2_REQUEST": str(request), "GA2_REPORT": str(report), **_COCOTB_VARIABLES}
        status, errors = self._make(directory, variables)
        if status != 0:
            raise SimulationError(self._describe_failure(errors))
        self._require_test_ran(directory / "results.xml")
        try:
            return RunReport.read(report)
        except (OSError, ValueError) as error:
            raise SimulationError(
                f"{self.test} on {self.simulator} left no report ({error}); the end of "
                f"{directory / 'sim.log'}:\n{_tail(directory / 'sim.log')}"
            ) from error

    def _make(self, directory: Path, variables: Mapping[str, str]) -> tuple[int, str]:
        """Run make in a process group of its own, so that a timeout reaches the simulator too."""
        module, _, name = self.test.rpartition(".")
        settings = {
            "RUN_DIR": directory,
            "TEST_MODULE": f"verif.uvm_tests.{module}",
            "TEST_FILTER": f"{name}$$",
            "SEED": self.seed,
            "WAVES": self.waves.resolve() if self.waves else "",
        }
        if self.rtl is not None:
            settings |= {"RTL": self.rtl, "SCRATCHPAD": self.scratchpad or ""}
        command = make_command(f"run-{self.simulator}", settings)
        process = subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env={**make_environment(), **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=self.timeout)
        except BaseException as interruption:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            if isinstance(interruption, subprocess.TimeoutExpired):
                raise SimulationTimeout(
                    f"{self.test} on {self.simulator} was killed after {self.timeout:.0f} s; the end of "
                    f"{directory / 'sim.log'}:\n{_tail(directory / 'sim.log')}"
                ) from None
            raise
        return process.returncode, output

    def _describe_failure(self, output: str) -> str:
        """Return sim.mk's own last word; the lines before it hold the tool's."""
        return complaint(output) or f"{self.test} on {self.simulator}: make failed without a message"

    def _require_test_ran(self, results: Path) -> None:
        """A filter that matches nothing is success to cocotb, so the tests are counted here."""
        try:
            ran = len(ElementTree.parse(results).getroot().findall(".//testcase"))
        except (OSError, ElementTree.ParseError) as error:
            raise SimulationError(f"{self.test} on {self.simulator} left no results: {error}") from error
        if ran != 1:
            raise SimulationError(
                f"{self.test} on {self.simulator}: {ran} tests of that name ran, expected 1"
            )


_COCOTB_VARIABLES = {"COCOTB_REWRITE_ASSERTION_FILES": ""}
"""Otherwise cocotb rewrites the assertions of every module, which takes three seconds a process."""


def _tail(log: Path) -> str:
    try:
        return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_TAIL:])
    except OSError:
        return "(no log)"
