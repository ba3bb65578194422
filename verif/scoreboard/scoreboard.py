"""The scoreboard: every program's result against the reference machine's, and the count of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from pyuvm import uvm_analysis_port, uvm_scoreboard

from refmodel.machine.machine import Machine
from sequences.directed.directed_program import DirectedProgram
from sequences.program_item import ProgramItem
from verif.analysis import AnalysisImplementation
from verif.bfm.check import BOUND_CHECKS, Check
from verif.bfm.harness import CheckReport
from verif.bfm.observation import Observation
from verif.memory_agent.traffic import MemoryTraffic
from verif.scoreboard.access_comparison import compare_accesses
from verif.scoreboard.comparison import Comparison
from verif.scoreboard.expected_run import ExpectedRun, expected_run
from verif.scoreboard.expected_traffic import expected_traffic
from verif.scoreboard.judged_run import JudgedRun
from verif.scoreboard.traffic_comparison import compare_traffic
from verif.scoreboard.verdict import Aspect, Mismatch, Tally
from verif.series.program_history import ProgramHistory


@dataclass(frozen=True, eq=False)
class _Sent:
    """An item under way."""

    item: ProgramItem
    expected: ExpectedRun


class Scoreboard(uvm_scoreboard):
    """Compares results as they come; the verdict is `failures()`.

    Three analysis exports: `sent` takes (run, item) when a program starts, `observed` takes (run,
    observation) when it has ended, `traffic` takes (run, record) when a bus driver answers its reads. `run`
    is the BFM's number of the run, so that a lost, repeated or foreign result is recognized as such.
    The analysis port `judged` publishes every comparison's outcome.
    """

    def build_phase(self) -> None:
        """Start with a machine whose scratchpad nobody has written, as the chip's."""
        self.sent = AnalysisImplementation("sent", self, self._on_sent)
        self.observed = AnalysisImplementation("observed", self, self._on_observed)
        self.traffic = AnalysisImplementation("traffic", self, self._on_traffic)
        self.judged = uvm_analysis_port("judged", self)
        self.machine = Machine()
        self.history = ProgramHistory()
        self.tally = Tally()
        self.mismatches: list[Mismatch] = []
        self.warnings: list[str] = []
        self.check_totals = np.zeros((len(Check), 2), np.int64)
        self._under_way: dict[int, _Sent] = {}
        self._traffic: dict[int, MemoryTraffic] = {}
        self._last_run = 0

    def failures(self) -> list[Mismatch]:
        """Return all that is wrong so far; call when no program is under way.

        Nothing compared, an item without a result and a result without an item are failures too.
        """
        failures = list(self.mismatches)
        for run, sent in self._under_way.items():
            failures.append(_pairing(sent.item.get_name(), f"run {run}", "a result", "none"))
        if self.tally.programs == 0:
            failures.append(_pairing("all", "programs compared", "at least one", "none"))
        return failures

    def begin_anew(self) -> list[Mismatch]:
        """Return all that is wrong so far and forget it, the state of the chip and what is under way too.

        The next program may follow anything, so it must not read what it has not written. Counts go on.
        """
        failures, self.mismatches = self.failures(), []
        self.machine = Machine()
        self.history = ProgramHistory()
        self._under_way.clear()
        self._traffic.clear()
        return failures

    def check_counts(self) -> Mapping[str, tuple[int, int]]:
        """Return how often each harness check looked and how often it failed, by name."""
        return {check.name.lower(): tuple(self.check_totals[check].tolist()) for check in Check}

    def hang(self, checks: CheckReport) -> None:
        """Judge a program that did not halt by the checks alone; it has no other result."""
        self.history.fail()
        for sent in self._under_way.values():
            comparison = Comparison(sent.item.get_name())
            for check, count, cycle in checks.broken():
                if not (check in BOUND_CHECKS and sent.item.strays_expected):
                    comparison.broken_rule(check, count, cycle)
            self.take(comparison)

    def take(self, comparison: Comparison) -> None:
        """Add what a test compared by itself."""
        self.tally += comparison.tally
        if comparison.mismatches:
            self.history.fail()
        for mismatch in comparison.mismatches:
            self._fail(mismatch)

    def _on_sent(self, sent: tuple[int, ProgramItem]) -> None:
        run, item = sent
        expected = expected_run(self.machine, item.program(), item.stimulus)
        program = DirectedProgram(item.get_name(), item.program(), item.stimulus, item.strays_expected)
        self.history.remember(program, expected.result)
        self._under_way[run] = _Sent(item, expected)
        self._last_run = run

    def _on_traffic(self, record: tuple[int, MemoryTraffic]) -> None:
        run, traffic = record
        self._traffic[run] = traffic

    def _on_observed(self, observed: tuple[int, Observation]) -> None:
        run, found = observed
        sent = self._under_way.pop(run, None)
        if sent is None:
            result = "a second result" if run <= self._last_run else "a result"
            self._fail(_pairing("unknown", f"run {run}", "no result without an item", result))
            return
        self._compare(sent.item, sent.expected, found, self._traffic.pop(run, None))

    def _compare(
        self, item: ProgramItem, expected: ExpectedRun, found: Observation, traffic: MemoryTraffic | None
    ) -> None:
        """Compare one program; overridable, as is everything it uses."""
        bundle = item.program()
        comparison = Comparison(item.get_name())
        if traffic is not None:
            due = expected_traffic(bundle, item.stimulus, expected.plan)
            compare_traffic(comparison, bundle, due, expected.result, found.result, traffic)
        comparison.run(expected, found, strays_expected=item.strays_expected)
        compare_accesses(comparison, bundle, expected, found.accesses)
        if bundle.expect is not None:
            comparison.expectation(bundle.expect, found.result)
        self.check_totals[:, 0] += found.checks.checked
        self.check_totals[:, 1] += found.checks.failed
        self.take(comparison)
        known = expected.result
        passed = not comparison.mismatches
        self.judged.write(JudgedRun(item, found, traffic, known.defined, known.ext_defined, passed))

    def _fail(self, mismatch: Mismatch) -> None:
        self.mismatches.append(mismatch)
        self.logger.error("%s", mismatch)


def _pairing(program: str, where: str, expected: str, found: str) -> Mismatch:
    return Mismatch(program, Aspect.PAIRING, where, expected, found)
