"""The base of every UVM test: builds the bench, runs the stimulus, judges, and reports to the outside."""

from __future__ import annotations

import asyncio
import gc
import os
import traceback
from pathlib import Path

import cocotb
from pyuvm import ConfigDB, uvm_test

from refmodel.errors import Ga2Error
from sequences.program_list_file import save_programs
from verif.bfm.bfm import HangError, ProgramBfm
from verif.bfm.observation import Observation
from verif.coverage.database_file import save_hits
from verif.environment import Environment
from verif.run_report import COVERAGE, FAILING_SERIES, REPORT, RunReport
from verif.uvm_tests.parameters import Declared, ParameterError, read_parameters

REQUEST_VARIABLE = "GA2_REQUEST"
"""Environment variable with the path of a JSON object: the test's parameters; unset: it has none."""

RESULTS_VARIABLE = "COCOTB_RESULTS_FILE"
"""Environment variable with the path of cocotb's results; a test leaves a directory of its name beside it."""

COVERAGE_VARIABLE = "GA2_COVERAGE"
"""Environment variable that asks for coverage, which a test leaves if it passes; unset: none is collected."""


class MismatchFound(Exception):  # noqa: N818 -- it ends the stimulus, and nothing is wrong with the bench
    """A program has failed, and no more than one was wanted."""


class BenchTest(uvm_test):
    """Override `stimulate`; everything else is done here.

    A test that takes parameters declares them in a class `Parameters` of its own. The report is written
    whatever happens to the stimulus. A simulation may run several tests. A test that compared nothing fails,
    and so does one with a parameter that it does not declare.
    """

    class Parameters(Declared):
        """What every test takes."""

        stop_at_mismatch: bool = False
        """Does the first program that fails end the stimulus?"""

    parameters: Parameters

    counts_for_coverage = True
    """False where the bench itself is tested: what such a test does says nothing of the chip."""

    def build_phase(self) -> None:
        """Read the request and make the environment; a wrong request is all there is to report."""
        name = type(self).__name__
        self.report = RunReport(name)
        self.output = Path(os.environ[RESULTS_VARIABLE]).parent / name
        self.output.mkdir(exist_ok=True)
        path = os.environ.get(REQUEST_VARIABLE)
        request = Path(path).read_text(encoding="utf-8") if path else "{}"
        try:
            self.parameters = read_parameters(self.Parameters, request, name)
        except ParameterError as error:
            self._refuse(error)
            raise
        self.environment = Environment.create("environment", self)
        self.environment.collects_coverage = self._is_asked_for_coverage()

    def end_of_elaboration_phase(self) -> None:
        """Give every component the one BFM; if it cannot be made, that is all there is to report."""
        try:
            self.bfm = ProgramBfm(cocotb.top)
        except Ga2Error as error:
            self._refuse(error)
            raise
        ConfigDB().set(None, "*", "BFM", self.bfm)

    async def run_phase(self) -> None:
        """Run the stimulus to its end, or to what stops it."""
        self.raise_objection()
        gc.freeze()  # what is there by now stays; without it every collection walks through it
        if self.parameters.stop_at_mismatch:
            self.bfm.listeners.append(self._stop_at_mismatch)  # behind the monitor, so it has been judged
        try:
            await self.bfm.power_up()
            await self.stimulate()
        except MismatchFound:
            self.logger.info("stopped at the first program that failed")
        except HangError as error:
            self.environment.scoreboard.hang(error.checks)
            self._stop("hang", str(error))
        except Ga2Error as error:
            self._stop("input", str(error))
        except Exception:
            self._stop("internal", traceback.format_exc())
        except asyncio.CancelledError:  # not an Exception, and cocotb ends a task with it in silence
            self._stop("internal", traceback.format_exc())
            raise
        finally:
            self.drop_objection()  # or all other phases would wait for this one for ever

    async def stimulate(self) -> None:
        """Start the test's sequences."""
        raise NotImplementedError

    def check_phase(self) -> None:
        """Collect the verdict."""
        scoreboard = self.environment.scoreboard
        self.report.mismatches += scoreboard.failures()
        self.report.warnings += scoreboard.warnings
        self.report.programs = scoreboard.tally.programs
        self.report.comparisons = scoreboard.tally.comparisons
        self.report.cycles = scoreboard.tally.cycles
        self.report.checks = dict(scoreboard.check_counts())
        self._keep_failing_series()

    def final_phase(self) -> None:
        """Report, to the outside and to cocotb."""
        self.report.write(self.output / REPORT)
        coverage = self.environment.coverage
        if coverage is not None and self._is_asked_for_coverage() and self.report.passed:
            save_hits(self.output / COVERAGE, coverage.tally.result(), coverage.tally.model)
        found = [self.report.error, *map(str, self.report.mismatches[:3])]
        assert self.report.passed, "; ".join(filter(None, found)) or "nothing was compared"

    def _stop_at_mismatch(self, run: int, observation: Observation) -> None:
        del run, observation
        if self.environment.scoreboard.mismatches:
            raise MismatchFound

    def _keep_failing_series(self) -> None:
        """Save what is needed to run the first failing program again; that it cannot be is no verdict."""
        series = self.environment.scoreboard.history.failing_series()
        if not series:
            return
        directory = self.output / FAILING_SERIES
        try:
            directory.mkdir(exist_ok=True)
            save_programs(directory, series)
        except (OSError, Ga2Error) as error:
            self.report.warnings.append(f"the failing programs could not be saved: {error}")

    def _is_asked_for_coverage(self) -> bool:
        return self.counts_for_coverage and COVERAGE_VARIABLE in os.environ

    def _refuse(self, error: Ga2Error) -> None:
        """Report an error before the stimulus begins; pyuvm calls no later phase once it is raised."""
        self._stop("input", str(error))
        self.report.write(self.output / REPORT)

    def _stop(self, kind: str, error: str) -> None:
        self.report.error_kind = kind  # type: ignore[assignment]
        self.report.error = error
        self.logger.error("%s", error)
