"""Each check of the harness finds what it is for: a chip that breaks the rules, and a memory that does."""

import re
from collections import defaultdict

import pytest

from sequences.misbehaviour import ALONE, Rule, misbehaving_programs
from verif.bfm.check import Check
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect
from verif.simulation.plain_path import REPOSITORY
from verif.tests.conftest import Simulate

MISBEHAVING_CHIP = "hdl/tb/misbehaving/ga2.sv"

FINDS = {
    "SKIP_TOTAL": Check.COUNTER_TOTAL,
    "TWO_UNITS": Check.COUNTER_MM,
    "MOVE_PC": Check.PC_STAYS,
    "SKIP_PC": Check.PC_ADVANCES,
    "FAULT_ALONE": Check.RUNNING,
    "HALT_BUSY": Check.RUNNING,
    "REQUEST_ANYWHERE": Check.VALIDS_LOW,
    "REQUEST_ELSEWHERE": Check.LOAD_ADDRESSES,
    "WRITE_ANYWHERE": Check.VALIDS_LOW,
    "WRITE_ELSEWHERE": Check.STORE_ADDRESSES,
    "LEAVE_EARLY": Check.LOAD_TIME,
    "REQUEST_HALTED": Check.VALIDS_LOW,
    "COUNT_HALTED": Check.HALTED_HOLDS,
    "KEEP_PC": Check.RESET_CLEARS,
    "COUNT_TWICE": Check.COUNTER_INST,
    "FORGET_HALT": Check.HALTED_HOLDS,
    "STAY_LONG_LD": Check.LOAD_TIME,
    "STAY_LONG_ST": Check.STORE_TIME,
    "STAY_LONG_MM": Check.MAT_MUL_TIME,
    "STAY_LONG_RQ": Check.REQUANTIZE_TIME,
    "STAY_LONG_SM": Check.SOFTMAX_TIME,
    "STAY_LONG_VADD": Check.VECTOR_ADD_TIME,
    "STAY_LONG_AMAX": Check.ARG_MAX_TIME,
    "REQUEST_LATE": Check.LOAD_REQUESTS,
    "REQUEST_PAUSED": Check.LOAD_REQUESTS,
    "WRITE_EARLY": Check.STORE_WRITES,
    "SKIP_UNIT_MM": Check.COUNTER_MM,
    "SKIP_UNIT_LD": Check.COUNTER_DMA,
    "SKIP_UNIT_RQ": Check.COUNTER_VEC,
    "COUNT_16": Check.COUNTER_TOTAL,
    "LATE_INST": Check.COUNTER_INST,
    "DROP_FAULT": Check.HALTED_HOLDS,
    "MOVE_AT_LOST": Check.START_LOST,
    "RESTART_BUSY": Check.START_LOST,
    "START_UNDER_RST": Check.RESET_WINS,
    "PC_12": Check.PC_ADVANCES,
    "SLOW_ISSUE": Check.FETCH_ISSUE_TIME,
    "HALT_LATE": Check.HALT_STOPS,
    "SILENT_FAULT": Check.FAULT_STOPS,
    "FAULT_LEGAL": Check.LEGAL_RUNS,
    "MOVE_AT_HALT": Check.PC_AT_END,
    "COUNT_IDLE": Check.IDLE_HOLDS,
    "LOSE_START": Check.START_HONOURED,
    "LOSE_HELD": Check.START_HELD,
    "LOSE_AFTER_FAULT": Check.START_AFTER_FAULT,
    "KEEP_COUNTER": Check.START_CLEARS,
    "SECOND_RST": Check.RESET_WINS,
    "ACCEPT_STRAY": Check.RESPONSE_IGNORED,
    "SAMPLE_IN_ISSUE": Check.FETCH_SAMPLES,
    "BEYOND_LD": Check.REQUEST_BOUND,
    "BEYOND_ST": Check.WRITE_BOUND,
}
"""For each program the check that must fail; others may follow from the same breach."""

ALSO_EXPLAINED = {Rule.FAULT_LEGAL.name: Check.FETCH_SAMPLES}
"""A chip that stops at a legal word may have looked at the garbage of ISSUE, if that is a faulting word."""

UNKNOWNS = {"UNKNOWN_VALID": Check.KNOWN, "UNKNOWN_COUNTER": Check.KNOWN}
"""An X exists in Icarus alone."""

FOUND_ELSEWHERE = {
    Check.RESPONSE_ASKED,  # test_stray_response_is_found
    Check.PC_WRAPS,  # test_wrong_wrap_of_pc_is_found
}


@pytest.fixture
def misbehaved(simulate: Simulate) -> RunReport:
    return simulate("broken_bench.MisbehavingChipTest", explain=False, rtl=MISBEHAVING_CHIP, scratchpad="mem")


def test_every_broken_rule_is_found(misbehaved: RunReport, simulator: str) -> None:
    failed = _failed_checks(misbehaved)
    expected = {**FINDS, **(UNKNOWNS if simulator == "icarus" else {})}
    missed = {
        name: (check, failed[name])
        for name, check in expected.items()
        if not failed[name] & {check, ALSO_EXPLAINED.get(name, check)}
    }
    assert not missed, [str(m) for m in misbehaved.mismatches if m.program in missed][:12]
    assert not failed[Rule.BEHAVE.name]
    assert misbehaved.error_kind == "hang"
    assert failed["hang"] == {Check.REQUANTIZE_TIME}


def test_every_check_has_a_rule_that_makes_it_fail() -> None:
    assert {*FINDS.values(), *UNKNOWNS.values()} | FOUND_ELSEWHERE == set(Check)


def test_every_rule_has_a_program() -> None:
    names = {program.name for program in misbehaving_programs()}
    assert names == {*FINDS, *UNKNOWNS, Rule.BEHAVE.name}
    found = {rule for rule in Rule if any(name.startswith(rule.name) for name in names)}
    assert found == {*Rule} - {*ALONE}


def test_rules_are_numbered_as_in_the_chip() -> None:
    chip = (REPOSITORY / MISBEHAVING_CHIP).read_text(encoding="utf-8")
    listed = re.search(r"enum logic \[5:0\] \{(.*?)\} rule_e", chip, re.DOTALL)
    assert listed is not None
    names = re.findall(r"^ +([A-Z]\w*)", listed.group(1), re.MULTILINE)
    assert [name.lower() for name in names] == [rule.name.replace("_", "").lower() for rule in Rule]


def test_stray_response_is_found(simulate: Simulate) -> None:
    report = simulate("broken_bench.StrayResponseTest", explain=False)
    assert not report.passed
    assert Check.RESPONSE_ASKED in _failed_checks(report)["one-load"]


@pytest.mark.slow
def test_wrong_wrap_of_pc_is_found(simulate: Simulate) -> None:
    report = simulate(
        "broken_bench.MisbehavingWrapTest", explain=False, rtl=MISBEHAVING_CHIP, scratchpad="mem"
    )
    assert _failed_checks(report)[Rule.WRAP_LATE.name] == {Check.PC_WRAPS}


def _failed_checks(report: RunReport) -> dict[str, set[Check]]:
    names = {check.name: check for check in Check}
    failed: dict[str, set[Check]] = defaultdict(set)
    for mismatch in report.mismatches:
        if mismatch.aspect is Aspect.CHECK and mismatch.where in names:
            failed[mismatch.program].add(names[mismatch.where])
    return failed
