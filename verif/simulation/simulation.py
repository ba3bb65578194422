"""Starts a UVM test in a simulator, from outside, and brings its report back.

Nothing passes in silence: a simulation that crashed, was killed, ran no test, wrote no report, compared
nothing or failed in cocotb's eyes is a SimulationError or a report that has not `passed`.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from refmodel.errors import Ga2Error
from verif.coverage.database import RunHits
from verif.coverage.database_file import load_hits
from verif.coverage.model import load_model
from verif.coverage.run_identity import RunIdentity
from verif.run_report import COVERAGE, REPORT, RunReport
from verif.simulation.process_group import OutOfTimeError
from verif.simulation.sim_make import OUT_OF_CPU, complaint, run_make
from verif.simulation.simulation_log import EXCEPTION, STARTED, last_words, log_tail, read_log
from verif.simulation.time_limit import time_limit

DEFAULT_TIMEOUT = 600.0
"""Seconds of CPU time that a simulation may take."""

CODE_COVERAGE_FILE = "code-coverage.dat"

KEEP_GOING = "+ga2_keep_going=1"
"""A plusarg that silences the chip's own assertions (hdl/rtl/ga2_invariants.sv)."""

_LEAST_FREE = 1 << 14
"""Bytes; with less than this on its disk a simulation could not write its log and report."""

_DUMP_FAILED = "FST_CHECK_EQ failed"
"""What Verilator prints when it cannot write a dump, before it aborts."""

_KILLED = re.compile(r"status (?:129|130|137|143)\b")
"""How sim.mk shows a simulator that ended by SIGHUP, SIGINT, SIGKILL or SIGTERM: by nothing in itself."""

_OUT_OF_CPU = re.compile(rf"status {OUT_OF_CPU}\b")


class SimulationError(Ga2Error):
    """A simulation that brought no usable report: a missing tool, a failed build, a crash."""


class NoSpaceError(SimulationError):
    """A simulation that could not write its files: not a verdict on the chip; the next one would fail too."""


class BrokenSimulationError(SimulationError):
    """A simulation that began but did not live to report: its process died, or the RTL ended it."""

    failure: str | None = None
    """The folder of the failure, if it was explained."""
    explanation: str = ""
    shrunk: str = ""
    """This and the two above as in `RunReport`."""


class KilledSimulationError(SimulationError):
    """A simulation that was killed from outside, or had no CPU time for long: it says nothing of the chip."""


class SimulationTimeout(Ga2Error):  # noqa: N818 -- a verdict on the chip or the bench, as a hang is
    """A simulation that was killed because it had used up its CPU time."""


@dataclass(frozen=True)
class Simulation:
    """One UVM test to run."""

    simulator: str
    """`icarus` or `verilator`."""
    test: str
    """Module below verif.uvm_tests and class, as in `replay.ReplayTest`."""
    run_directory: Path
    """Gets request.json, results.xml, sim.log, `output`, and built-from, the hash of what the simulation was
    built from; its old content is removed."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """JSON values; each test says which it takes."""
    seed: int = 1
    timeout: float = DEFAULT_TIMEOUT
    """Seconds of CPU time; ten times as many by the clock, building included."""
    waves: Path | None = None
    """Where signals are dumped to, FST."""
    waves_scope: Literal["all", "window"] = "all"
    """All signals from beginning to end, or in the window of cycles that the test asks for."""
    rtl: str | None = None
    """Other RTL of module ga2 than RTL= of the environment or the project's: a file list or source files."""
    scratchpad: str | None = None
    """The path of its memory below the harness's `dut`."""
    scratchpad_write: str | None = None
    """The signals of its write port, as sim.mk's variable SCRATCHPAD_WRITE."""
    scratchpad_read: str | None = None
    """The enable of its read port, as sim.mk's variable SCRATCHPAD_READ."""
    mirrors: str | None = None
    """The source of module ga2_tb_mirrors for that RTL, if there is one."""
    plusargs: Sequence[str] = ()
    """Further arguments of the simulation, such as `+name=value`."""
    coverage: bool = False
    """Is functional coverage collected? `covered` has it then, once the run has passed."""
    code_coverage: bool = False
    """Is code coverage collected, into `code_counts`? On Verilator only."""

    def run(self) -> RunReport:
        """Run it and return the report. Raises SimulationError or SimulationTimeout."""
        directory = self.run_directory.resolve()
        request = directory / "request.json"
        shutil.rmtree(directory, ignore_errors=True)
        try:
            directory.mkdir(parents=True)
            request.write_text(json.dumps(dict(self.parameters)), encoding="utf-8")
        except OSError as error:
            raise NoSpaceError(f"{directory} cannot be written: {error.strerror}") from error
        variables = {"GA2_REQUEST": str(request)}
        if self.coverage:
            variables["GA2_COVERAGE"] = "1"
        began = time.monotonic()
        status, output = self._make(directory, variables)
        if status != 0 and not (directory / "sim.log").exists():
            raise SimulationError(
                complaint(output) or f"{self.test} on {self.simulator}: make failed without a message"
            )
        if status != 0:
            last_line = complaint(output).rpartition("\n")[2]
            if _OUT_OF_CPU.search(last_line):
                raise SimulationTimeout(
                    f"{self.test} on {self.simulator} was killed after {time_limit(self.timeout).cpu:g} s of "
                    f"CPU time ({time.monotonic() - began:.0f} s by the clock); the end of "
                    f"{directory / 'sim.log'}:\n{log_tail(directory / 'sim.log')}"
                )
            is_killed = status < 0 or _KILLED.search(last_line) is not None
            kind = KilledSimulationError if is_killed else BrokenSimulationError
            raise self._broken(directory, last_line.removeprefix("sim.mk: ").partition(";")[0], kind)
        cocotb_passed = self._require_test_ran(directory)
        try:
            found = RunReport.read(self.output / REPORT)
        except Ga2Error as error:
            raise self._broken(directory, "it left no report") from error
        if found.passed and not cocotb_passed:
            raise self._broken(directory, "its report is good, but cocotb's is not")
        return found

    def identity(self, test: str) -> RunIdentity:
        """Return which run this is, called `test`, once it has been started."""
        try:
            build = (self.run_directory / "built-from").read_text(encoding="ascii").strip()
        except OSError:
            build = ""  # it never came to run
        return RunIdentity(test, self.seed, self.simulator, build)

    def covered(self) -> RunHits | None:
        """Return what the run hit, if coverage was collected and it passed."""
        path = self.output / COVERAGE
        return load_hits(path, load_model()) if path.exists() else None

    @property
    def output(self) -> Path:
        """The directory of what the test leaves (verif/run_report.py)."""
        return self.run_directory / self.test.rpartition(".")[2]

    @property
    def code_counts(self) -> Path:
        """The file of its code coverage; a run that failed may leave one too."""
        return self.run_directory / CODE_COVERAGE_FILE

    def _make(self, directory: Path, variables: Mapping[str, str]) -> tuple[int, str]:
        module, _, name = self.test.rpartition(".")
        settings = {
            "RUN_DIR": directory,
            "TEST_MODULE": f"verif.uvm_tests.{module}",
            "TEST_FILTER": f"{name}$",
            "SEED": self.seed,
            "WAVES": str(self.waves.resolve()) if self.waves else "",
            "WAVES_SCOPE": self.waves_scope,
            "CODE_COVERAGE": directory / CODE_COVERAGE_FILE if self.code_coverage else "",
            "PLUSARGS": " ".join(self.plusargs),
        }
        if self.rtl is not None:
            settings |= {
                "RTL": self.rtl,
                "SCRATCHPAD": self.scratchpad or "",
                "SCRATCHPAD_WRITE": self.scratchpad_write or "",
                "SCRATCHPAD_READ": self.scratchpad_read or "",
                "MIRRORS": self.mirrors or "",
            }
        try:
            return run_make(f"run-{self.simulator}", settings, variables, time_limit(self.timeout))
        except OutOfTimeError as error:
            how = (
                f"killed after {error.clock:.0f} s by the clock, with {error.cpu:.0f} of "
                f"{time_limit(self.timeout).cpu:g} s of CPU time: the machine is too busy, or it sleeps"
            )
            raise self._broken(directory, how, KilledSimulationError) from None

    def _require_test_ran(self, directory: Path) -> bool:
        """Return whether cocotb's one test passed. A filter that matches nothing is success to cocotb."""
        try:
            cases = ElementTree.parse(directory / "results.xml").getroot().findall(".//testcase")
        except (OSError, ElementTree.ParseError) as error:
            raise self._broken(directory, "it left no results") from error
        if len(cases) != 1:
            raise SimulationError(
                f"{self.test} on {self.simulator}: {len(cases)} tests of that name ran, expected 1"
            )
        return not any(cases[0].find(verdict) is not None for verdict in ("failure", "error", "skipped"))

    def _broken(
        self, directory: Path, how: str, kind: type[SimulationError] = BrokenSimulationError
    ) -> SimulationError:
        """Return the error for a simulation that ended otherwise than it should, with its own last words.

        A full disk or a bench that never started says nothing of the chip: no BrokenSimulationError.
        """
        log = directory / "sim.log"
        text = read_log(log) if log.exists() else ""
        if self.waves is not None and _DUMP_FAILED in text:
            return NoSpaceError(
                f"{self.test} on {self.simulator} broke off, because {self.waves} could not be written: is "
                f"its disk full? The whole output is in {log}"
            )
        if os.strerror(errno.ENOSPC) in text + how or shutil.disk_usage(directory).free < _LEAST_FREE:
            place = self.waves if self.waves and os.strerror(errno.ENOSPC) in how else directory
            return NoSpaceError(
                f"{self.test} on {self.simulator} broke off, because there is no space left for {place}"
            )
        where = f"the whole output is in {log}"
        if kind is BrokenSimulationError and not STARTED.search(text):
            reason = next(iter(EXCEPTION.findall(text)), log_tail(log).rpartition("\n")[2])
            return SimulationError(f"{self.test} on {self.simulator} did not start: {how}; {where}: {reason}")
        words = last_words(text) or f"it ends\n{log_tail(log)}"
        return kind(f"{self.test} on {self.simulator} broke off: {how}; {where}: {words}")
