"""Each check of the harness finds what it is for: a chip that breaks the rules, and a memory that does."""

from collections import defaultdict

import pytest

from sequences.misbehaviour import Rule
from verif.bfm.harness import Check
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect
from verif.tests.conftest import Simulate

MISBEHAVING_CHIP = "hdl/tb/misbehaving/ga2.sv"

FINDS = {
    Rule.BEHAVE: set(),
    Rule.SKIP_TOTAL: {Check.COUNTER_LAW},
    Rule.TWO_UNITS: {Check.COUNTER_LAW},
    Rule.MOVE_PC: {Check.PC},
    Rule.SKIP_PC: {Check.PC},
    Rule.FAULT_ALONE: {Check.STATE},
    Rule.HALT_BUSY: {Check.STATE},
    Rule.REQUEST_ANYWHERE: {Check.REQUEST_TURN},
    Rule.REQUEST_ELSEWHERE: {Check.REQUEST_TURN},
    Rule.WRITE_ANYWHERE: {Check.WRITE_TURN},
    Rule.WRITE_ELSEWHERE: {Check.WRITE_TURN},
    Rule.LEAVE_EARLY: {Check.DRAINED},
    Rule.REQUEST_HALTED: {Check.IDLE},
    Rule.COUNT_HALTED: {Check.IDLE},
    Rule.KEEP_PC: {Check.RESET},
    Rule.COUNT_TWICE: {Check.COUNTER_LAW},
    Rule.FORGET_HALT: {Check.IDLE},
}
"""For each rule the checks that must fail; others may follow from the same breach."""

UNKNOWNS = {Rule.UNKNOWN_VALID: {Check.KNOWN}, Rule.UNKNOWN_COUNTER: {Check.KNOWN}}
"""An X exists in Icarus alone."""


@pytest.fixture
def misbehaved(simulate: Simulate) -> RunReport:
    return simulate("broken_bench.MisbehavingChipTest", explain=False, rtl=MISBEHAVING_CHIP, scratchpad="mem")


def test_every_broken_rule_is_found(misbehaved: RunReport, simulator: str) -> None:
    failed = _failed_checks(misbehaved)
    expected = {**FINDS, **(UNKNOWNS if simulator == "icarus" else {})}
    missed = {rule.name: checks - failed[rule.name] for rule, checks in expected.items()}
    assert not {rule: checks for rule, checks in missed.items() if checks}
    assert not failed[Rule.BEHAVE.name]
    assert misbehaved.error_kind == "hang"


def test_stray_response_is_found(simulate: Simulate) -> None:
    report = simulate("broken_bench.StrayResponseTest", explain=False)
    assert not report.passed
    assert Check.RESPONSE in _failed_checks(report)["one-load"]


def _failed_checks(report: RunReport) -> dict[str, set[Check]]:
    names = {check.name: check for check in Check}
    failed: dict[str, set[Check]] = defaultdict(set)
    for mismatch in report.mismatches:
        if mismatch.aspect is Aspect.CHECK and mismatch.where in names:
            failed[mismatch.program].add(names[mismatch.where])
    return failed
