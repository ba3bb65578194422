"""Each check of the harness finds what it is for: a chip that breaks the rules, and a memory that does."""

from collections import defaultdict

import pytest

from sequences.misbehaviour import Rule
from verif.bfm.check import Check
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect
from verif.tests.conftest import Simulate

MISBEHAVING_CHIP = "hdl/tb/misbehaving/ga2.sv"

FINDS = {
    Rule.BEHAVE: set(),
    Rule.SKIP_TOTAL: {Check.COUNTER_TOTAL},
    Rule.TWO_UNITS: {Check.COUNTER_MM},
    Rule.MOVE_PC: {Check.PC_STAYS},
    Rule.SKIP_PC: {Check.PC_ADVANCES},
    Rule.FAULT_ALONE: {Check.RUNNING},
    Rule.HALT_BUSY: {Check.RUNNING},
    Rule.REQUEST_ANYWHERE: {Check.VALIDS_LOW},
    Rule.REQUEST_ELSEWHERE: {Check.LOAD_ADDRESSES},
    Rule.WRITE_ANYWHERE: {Check.VALIDS_LOW},
    Rule.WRITE_ELSEWHERE: {Check.STORE_ADDRESSES},
    Rule.LEAVE_EARLY: {Check.LOAD_TIME},
    Rule.REQUEST_HALTED: {Check.VALIDS_LOW},
    Rule.COUNT_HALTED: {Check.HALTED_HOLDS},
    Rule.KEEP_PC: {Check.RESET_CLEARS},
    Rule.COUNT_TWICE: {Check.COUNTER_INST},
    Rule.FORGET_HALT: {Check.HALTED_HOLDS},
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
    assert Check.RESPONSE_ASKED in _failed_checks(report)["one-load"]


def _failed_checks(report: RunReport) -> dict[str, set[Check]]:
    names = {check.name: check for check in Check}
    failed: dict[str, set[Check]] = defaultdict(set)
    for mismatch in report.mismatches:
        if mismatch.aspect is Aspect.CHECK and mismatch.where in names:
            failed[mismatch.program].add(names[mismatch.where])
    return failed
