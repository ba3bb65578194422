"""verif/bfm/harness.py mirrors hdl/tb; here the two are compared."""

import re

from refmodel.isa.instructions import Opcode
from verif.bfm import harness
from verif.bfm.check import Check
from verif.bfm.harness import TraceKind
from verif.simulation.plain_path import REPOSITORY

TB = REPOSITORY / "hdl" / "tb"


def test_checks_are_numbered_as_in_the_package() -> None:
    package = (TB / "ga2_rules.sv").read_text(encoding="utf-8")
    numbers = {name: int(number) for name, number in re.findall(r" Check([A-Z]\w*) = 6'd(\d+);", package)}
    assert numbers == {_camel(check.name): check.value for check in Check if check <= Check.LOAD_TIME}
    assert f"int Checks = {len(Check)};" in package


def test_checks_of_time_are_in_the_order_of_operation_codes() -> None:
    opcodes = {Opcode.LD: Check.LOAD_TIME, Opcode.AMAX: Check.ARG_MAX_TIME, Opcode.SM: Check.SOFTMAX_TIME}
    assert all(check == Check.LOAD_TIME + opcode - 1 for opcode, check in opcodes.items())


def test_every_check_stands_in_the_contract() -> None:
    contract = " ".join((REPOSITORY / "docs" / "isa.md").read_text(encoding="utf-8").split())
    assert not [check.name for check in Check if check.sentence not in contract]


def test_trace_kinds_are_numbered_as_in_the_package() -> None:
    package = (TB / "ga2_tb_pkg.sv").read_text(encoding="utf-8")
    numbers = {name: int(number) for name, number in re.findall(r"Trace([A-Z]\w*) = 4'd(\d+);", package)}
    assert numbers == {_camel(kind.name): kind.value for kind in TraceKind}


def test_signals_are_declared_in_the_harness() -> None:
    top = (TB / "ga2_tb.sv").read_text(encoding="utf-8")
    declared = set(re.findall(r"^ +logic +(?:\[[^]]*\])? *(\w+)", top, flags=re.MULTILINE))
    assert {*harness.SETTINGS, *harness.OUTCOME, *harness.OUTPUTS} <= declared


def test_clock_period_is_the_harness_s() -> None:
    package = (TB / "ga2_tb_pkg.sv").read_text(encoding="utf-8")
    assert f"int ClockPeriod = {harness.CLOCK_PERIOD_NS};" in package


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
